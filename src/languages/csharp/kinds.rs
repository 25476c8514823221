//! The node kinds and fields of the grammar that lowering looks at.

use std::sync::OnceLock;

use tree_sitter::Language;

use crate::languages::grammar::{Grammar, names};
use crate::model::program::{Expr, Stmt};

names! {
    /// Kind of a syntax node.
    pub(super) enum Kind, named_kind {
        CompilationUnit = "compilation_unit",
        Error = "ERROR",
        Comment = "comment" | "shebang_directive" | "preproc_region" | "preproc_endregion" | "preproc_line" | "preproc_pragma" | "preproc_nullable" | "preproc_error" | "preproc_warning" | "preproc_define" | "preproc_undef",
        // conditional compilation
        PreprocIf = "preproc_if" | "preproc_if_in_attribute_list",
        PreprocElif = "preproc_elif",
        PreprocElse = "preproc_else",
        // the top of a file
        UsingDirective = "using_directive",
        ExternAlias = "extern_alias_directive",
        GlobalAttribute = "global_attribute",
        GlobalStatement = "global_statement",
        Namespace = "namespace_declaration",
        FileScopedNamespace = "file_scoped_namespace_declaration",
        DeclarationList = "declaration_list",
        // types
        ClassDeclaration = "class_declaration",
        StructDeclaration = "struct_declaration",
        RecordDeclaration = "record_declaration",
        InterfaceDeclaration = "interface_declaration",
        EnumDeclaration = "enum_declaration",
        EnumMember = "enum_member_declaration",
        DelegateDeclaration = "delegate_declaration",
        Modifier = "modifier",
        BaseList = "base_list",
        PrimaryBase = "primary_constructor_base_type",
        TypeParameterList = "type_parameter_list",
        TypeParameter = "type_parameter",
        Constraints = "type_parameter_constraints_clause",
        Constraint = "type_parameter_constraint",
        ConstructorConstraint = "constructor_constraint",
        AttributeList = "attribute_list",
        Attribute = "attribute",
        AttributeTarget = "attribute_target_specifier",
        AttributeArgumentList = "attribute_argument_list",
        AttributeArgument = "attribute_argument",
        // members
        FieldDeclaration = "field_declaration",
        PropertyDeclaration = "property_declaration",
        MethodDeclaration = "method_declaration",
        ConstructorDeclaration = "constructor_declaration",
        ConstructorInitializer = "constructor_initializer",
        DestructorDeclaration = "destructor_declaration",
        IndexerDeclaration = "indexer_declaration",
        OperatorDeclaration = "operator_declaration",
        ConversionDeclaration = "conversion_operator_declaration",
        EventDeclaration = "event_declaration" | "event_field_declaration",
        AccessorDeclaration = "accessor_declaration",
        ExplicitInterface = "explicit_interface_specifier",
        ParameterList = "parameter_list" | "bracketed_parameter_list",
        Parameter = "parameter",
        ImplicitParameter = "implicit_parameter",
        ArrowClause = "arrow_expression_clause",
        // statements
        Block = "block",
        ExpressionStatement = "expression_statement",
        LocalDeclaration = "local_declaration_statement",
        LocalFunction = "local_function_statement",
        VariableDeclaration = "variable_declaration",
        VariableDeclarator = "variable_declarator",
        IfStatement = "if_statement",
        SwitchStatement = "switch_statement",
        SwitchSection = "switch_section",
        ForStatement = "for_statement",
        ForeachStatement = "foreach_statement",
        WhileStatement = "while_statement" | "do_statement",
        TryStatement = "try_statement",
        CatchClause = "catch_clause",
        CatchDeclaration = "catch_declaration",
        FinallyClause = "finally_clause",
        UsingStatement = "using_statement",
        WrappingStatement = "lock_statement" | "fixed_statement" | "checked_statement" | "unsafe_statement" | "labeled_statement",
        BreakStatement = "break_statement",
        ContinueStatement = "continue_statement",
        ReturnStatement = "return_statement",
        ThrowStatement = "throw_statement",
        YieldStatement = "yield_statement",
        GotoStatement = "goto_statement",
        EmptyStatement = "empty_statement",
        // types where they are used
        PredefinedType = "predefined_type",
        ImplicitType = "implicit_type",
        GenericName = "generic_name",
        TypeArgumentList = "type_argument_list",
        QualifiedName = "qualified_name",
        AliasQualifiedName = "alias_qualified_name",
        NullableType = "nullable_type",
        ArrayType = "array_type",
        TupleType = "tuple_type",
        TupleElement = "tuple_element",
        TransparentType = "ref_type" | "scoped_type",
        PointerType = "pointer_type" | "function_pointer_type",
        // patterns
        ConstantPattern = "constant_pattern",
        DeclarationPattern = "declaration_pattern",
        RecursivePattern = "recursive_pattern",
        VarPattern = "var_pattern",
        NegatedPattern = "negated_pattern",
        ParenthesizedPattern = "parenthesized_pattern",
        RelationalPattern = "relational_pattern",
        OrPattern = "or_pattern",
        AndPattern = "and_pattern",
        ListPattern = "list_pattern",
        TypePattern = "type_pattern",
        Discard = "discard",
        PositionalClause = "positional_pattern_clause",
        PropertyClause = "property_pattern_clause",
        Subpattern = "subpattern",
        Designations = "parenthesized_variable_designation",
        TuplePattern = "tuple_pattern",
        WhenClause = "when_clause",
        // expressions
        Identifier = "identifier",
        Member = "member_access_expression",
        ConditionalAccess = "conditional_access_expression",
        MemberBinding = "member_binding_expression",
        ElementBinding = "element_binding_expression",
        ElementAccess = "element_access_expression",
        BracketedArgumentList = "bracketed_argument_list",
        Invocation = "invocation_expression",
        ArgumentList = "argument_list",
        Argument = "argument",
        DeclarationExpression = "declaration_expression",
        ObjectCreation = "object_creation_expression",
        ImplicitObjectCreation = "implicit_object_creation_expression",
        AnonymousObject = "anonymous_object_creation_expression",
        ArrayCreation = "array_creation_expression",
        ImplicitArray = "implicit_array_creation_expression" | "implicit_stackalloc_expression",
        Stackalloc = "stackalloc_expression",
        Initializer = "initializer_expression",
        Collection = "collection_expression",
        CollectionElement = "collection_element",
        ExpressionElement = "expression_element",
        SpreadElement = "spread_element",
        With = "with_expression",
        WithInitializer = "with_initializer",
        Lambda = "lambda_expression",
        AnonymousMethod = "anonymous_method_expression",
        Parenthesized = "parenthesized_expression" | "checked_expression" | "ref_expression",
        Assignment = "assignment_expression",
        Binary = "binary_expression",
        Conditional = "conditional_expression",
        Prefix = "prefix_unary_expression",
        Postfix = "postfix_unary_expression",
        Await = "await_expression",
        Cast = "cast_expression",
        As = "as_expression",
        Is = "is_expression",
        IsPattern = "is_pattern_expression",
        Switch = "switch_expression",
        SwitchArm = "switch_expression_arm",
        Throw = "throw_expression",
        TypeOf = "typeof_expression",
        SizeOf = "sizeof_expression",
        Default = "default_expression",
        Range = "range_expression",
        Tuple = "tuple_expression",
        Query = "query_expression",
        FromClause = "from_clause",
        WhereClause = "where_clause",
        LetClause = "let_clause",
        OrderByClause = "order_by_clause",
        SelectClause = "select_clause",
        Reference = "makeref_expression" | "reftype_expression" | "refvalue_expression",
        // literals
        Null = "null_literal",
        Boolean = "boolean_literal",
        Integer = "integer_literal",
        Real = "real_literal",
        Character = "character_literal",
        String = "string_literal",
        VerbatimString = "verbatim_string_literal",
        RawString = "raw_string_literal",
        InterpolatedString = "interpolated_string_expression",
        Interpolation = "interpolation",
        InterpolationStart = "interpolation_start",
        InterpolationQuote = "interpolation_quote",
        InterpolationBrace = "interpolation_brace",
        FormatClause = "interpolation_format_clause" | "interpolation_alignment_clause",
        // keywords that are values
        This = "this",
        Base = "base",
        Token = "any keyword or punctuation",
    }
}

names! {
    /// The role of a node in its parent.
    pub(super) enum Field, named_field {
        Accessors = "accessors",
        Alias = "alias",
        Alternative = "alternative",
        Arguments = "arguments",
        Body = "body",
        Condition = "condition",
        Consequence = "consequence",
        Expression = "expression",
        Function = "function",
        Initializer = "initializer",
        Left = "left",
        Name = "name",
        Operator = "operator",
        Parameters = "parameters",
        Pattern = "pattern",
        Qualifier = "qualifier",
        Rank = "rank",
        Returns = "returns",
        Right = "right",
        Subscript = "subscript",
        Type = "type",
        Update = "update",
        Value = "value",
    }
}

/// The grammar of C#.
pub(super) struct CSharp;

pub(super) type Tables = crate::languages::grammar::Tables<CSharp>;
pub(super) type Lowering<'t> = crate::languages::tree::Lowering<'t, CSharp>;
pub(super) type Child<'t> = crate::languages::tree::Child<'t, CSharp>;
pub(super) use crate::languages::tree::Opened;

/// State of lowering besides the walk's own.
#[derive(Default)]
pub(super) struct Extra {
    /// What holds for the whole project.
    pub(super) global: Vec<Stmt>,
    /// Members are public where they do not say otherwise.
    pub(super) in_interface: bool,
    /// What the function that is being lowered returns.
    pub(super) returns: Option<Expr>,
}

impl Grammar for CSharp {
    type Kind = Kind;
    type Field = Field;
    type Extra = Extra;

    const TOKEN: Kind = Kind::Token;
    const ERROR: Kind = Kind::Error;
    const NO_FIELD: Field = Field::Unlisted;

    fn kind(name: &str) -> Kind {
        named_kind(name)
    }

    fn token(name: &str) -> Kind {
        match name {
            "this" => Kind::This,
            "base" => Kind::Base,
            _ => Kind::Token,
        }
    }

    fn field(name: &str) -> Field {
        named_field(name)
    }

    fn is_skipped(kind: Kind) -> bool {
        kind == Kind::Comment
    }

    fn is_statement(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::PreprocIf
                | Kind::UsingDirective
                | Kind::ExternAlias
                | Kind::GlobalAttribute
                | Kind::GlobalStatement
                | Kind::Namespace
                | Kind::FileScopedNamespace
                | Kind::ClassDeclaration
                | Kind::StructDeclaration
                | Kind::RecordDeclaration
                | Kind::InterfaceDeclaration
                | Kind::EnumDeclaration
                | Kind::DelegateDeclaration
                | Kind::FieldDeclaration
                | Kind::PropertyDeclaration
                | Kind::MethodDeclaration
                | Kind::ConstructorDeclaration
                | Kind::DestructorDeclaration
                | Kind::IndexerDeclaration
                | Kind::OperatorDeclaration
                | Kind::ConversionDeclaration
                | Kind::EventDeclaration
                | Kind::Block
                | Kind::ExpressionStatement
                | Kind::LocalDeclaration
                | Kind::LocalFunction
                | Kind::IfStatement
                | Kind::SwitchStatement
                | Kind::ForStatement
                | Kind::ForeachStatement
                | Kind::WhileStatement
                | Kind::TryStatement
                | Kind::UsingStatement
                | Kind::WrappingStatement
                | Kind::BreakStatement
                | Kind::ContinueStatement
                | Kind::ReturnStatement
                | Kind::ThrowStatement
                | Kind::YieldStatement
                | Kind::GotoStatement
                | Kind::EmptyStatement
                | Kind::Error
        )
    }
}

pub(in crate::languages) fn grammar() -> Language {
    tree_sitter_c_sharp::LANGUAGE.into()
}

pub(super) fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables::new(&grammar()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What lowering does not look at by name: it is read through what it holds, or left out.
    const LEFT_OUT: &[&str] = &[
        "accessor_list",
        "array_rank_specifier",
        "calling_convention",
        "catch_filter_clause",
        "character_literal_content",
        "enum_member_declaration_list",
        "escape_sequence",
        "function_pointer_parameter",
        "group_clause",
        "join_clause",
        "join_into_clause",
        "preproc_arg",
        "raw_string_content",
        "raw_string_end",
        "raw_string_start",
        "string_content",
        "string_literal_content",
        "string_literal_encoding",
        "switch_body",
        "unary_expression",
    ];

    #[test]
    fn every_listed_name_exists_in_the_grammar() {
        let grammar = grammar();
        let kinds = || (0..grammar.node_kind_count() as u16).filter(|id| grammar.node_kind_is_named(*id));
        let special = ["ERROR", "any keyword or punctuation", "this", "base"];
        for name in Kind::NAMES.iter().filter(|name| !special.contains(name)) {
            assert!(kinds().any(|id| grammar.node_kind_for_id(id) == Some(name)), "{name}");
        }
        for token in ["this", "base"] {
            assert_ne!(CSharp::token(token), Kind::Token);
            assert_ne!(grammar.id_for_node_kind(token, false), 0, "{token}");
        }
        for field in Field::NAMES {
            assert!(grammar.field_id_for_name(field).is_some(), "{field}");
        }
    }

    #[test]
    fn every_name_of_the_grammar_is_listed_or_left_out() {
        let grammar = grammar();
        for id in 0..grammar.node_kind_count() as u16 {
            let name = grammar.node_kind_for_id(id).unwrap_or("");
            let seen = grammar.node_kind_is_named(id) && grammar.node_kind_is_visible(id) && name != "ERROR";
            if seen && !grammar.node_kind_is_supertype(id) {
                let listed = Kind::NAMES.contains(&name);
                assert!(listed != LEFT_OUT.contains(&name), "{name}");
            }
        }
    }
}
