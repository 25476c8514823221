//! The node kinds and fields of the three grammars, which share their names.

use std::sync::OnceLock;

use tree_sitter::Language;

use super::Dialect;
use crate::languages::grammar::{Grammar, names};
use crate::model::program::Stmt;

names! {
    /// Kind of a syntax node.
    pub(super) enum Kind, named_kind {
        Program = "program",
        Error = "ERROR",
        Comment = "comment" | "html_comment" | "hash_bang_line",
        // statements
        ImportStatement = "import_statement",
        ExportStatement = "export_statement",
        ExpressionStatement = "expression_statement",
        VariableDeclaration = "variable_declaration" | "lexical_declaration" | "using_declaration",
        VariableDeclarator = "variable_declarator",
        StatementBlock = "statement_block",
        IfStatement = "if_statement",
        ElseClause = "else_clause",
        SwitchStatement = "switch_statement",
        SwitchCase = "switch_case",
        SwitchDefault = "switch_default",
        ForStatement = "for_statement",
        ForInStatement = "for_in_statement",
        WhileStatement = "while_statement" | "do_statement",
        TryStatement = "try_statement",
        CatchClause = "catch_clause",
        FinallyClause = "finally_clause",
        WithStatement = "with_statement",
        LabeledStatement = "labeled_statement",
        BreakStatement = "break_statement",
        ContinueStatement = "continue_statement",
        ReturnStatement = "return_statement",
        ThrowStatement = "throw_statement",
        EmptyStatement = "empty_statement",
        DebuggerStatement = "debugger_statement",
        // declarations
        FunctionDeclaration = "function_declaration" | "generator_function_declaration",
        FunctionSignature = "function_signature",
        ClassDeclaration = "class_declaration" | "abstract_class_declaration",
        InterfaceDeclaration = "interface_declaration",
        EnumDeclaration = "enum_declaration",
        EnumAssignment = "enum_assignment",
        TypeAliasDeclaration = "type_alias_declaration",
        AmbientDeclaration = "ambient_declaration",
        Namespace = "module" | "internal_module",
        ImportAlias = "import_alias",
        Decorator = "decorator",
        // imports and exports
        ImportClause = "import_clause",
        ImportRequireClause = "import_require_clause",
        ImportSpecifier = "import_specifier",
        NamedImports = "named_imports",
        NamespaceImport = "namespace_import",
        NamespaceExport = "namespace_export",
        ExportClause = "export_clause",
        ExportSpecifier = "export_specifier",
        // classes
        ClassHeritage = "class_heritage",
        ExtendsClause = "extends_clause",
        ExtendsTypeClause = "extends_type_clause",
        ImplementsClause = "implements_clause",
        MethodDefinition = "method_definition",
        MethodSignature = "method_signature" | "abstract_method_signature",
        FieldDefinition = "public_field_definition" | "field_definition",
        ClassStaticBlock = "class_static_block",
        AccessibilityModifier = "accessibility_modifier",
        OverrideModifier = "override_modifier",
        // parameters
        RequiredParameter = "required_parameter",
        OptionalParameter = "optional_parameter",
        TypeParameter = "type_parameter",
        // types
        TypeAnnotation = "type_annotation" | "omitting_type_annotation" | "adding_type_annotation" | "opting_type_annotation" | "default_type" | "constraint",
        PredicateAnnotation = "asserts_annotation" | "type_predicate_annotation" | "asserts" | "type_predicate",
        TypeArguments = "type_arguments",
        TransparentType = "parenthesized_type" | "readonly_type",
        PredefinedType = "predefined_type",
        TypeIdentifier = "type_identifier",
        NestedTypeIdentifier = "nested_type_identifier",
        NestedIdentifier = "nested_identifier",
        GenericType = "generic_type",
        ObjectType = "object_type" | "interface_body",
        PropertySignature = "property_signature",
        IndexSignature = "index_signature",
        MappedTypeClause = "mapped_type_clause",
        ArrayType = "array_type",
        TupleType = "tuple_type",
        OptionalType = "optional_type",
        RestType = "rest_type",
        TypeQuery = "type_query",
        IndexTypeQuery = "index_type_query",
        ThisType = "this_type",
        LiteralType = "literal_type",
        LookupType = "lookup_type",
        ConditionalType = "conditional_type",
        TemplateLiteralType = "template_literal_type",
        IntersectionType = "intersection_type",
        UnionType = "union_type",
        FunctionType = "function_type",
        ConstructorType = "constructor_type",
        InferType = "infer_type",
        // patterns
        ObjectPattern = "object_pattern",
        ArrayPattern = "array_pattern",
        PairPattern = "pair_pattern",
        RestPattern = "rest_pattern",
        AssignmentPattern = "assignment_pattern" | "object_assignment_pattern",
        ShorthandPattern = "shorthand_property_identifier_pattern",
        // expressions
        Identifier = "identifier",
        PropertyIdentifier = "property_identifier",
        PrivateIdentifier = "private_property_identifier",
        ShorthandProperty = "shorthand_property_identifier",
        ComputedName = "computed_property_name",
        This = "this",
        Super = "super",
        Import = "import",
        Number = "number",
        String = "string",
        StringFragment = "string_fragment",
        EscapeSequence = "escape_sequence",
        TemplateString = "template_string",
        TemplateSubstitution = "template_substitution",
        Regex = "regex",
        True = "true",
        False = "false",
        Null = "null",
        Undefined = "undefined",
        Object = "object",
        Pair = "pair",
        SpreadElement = "spread_element",
        Array = "array",
        FunctionExpression = "function_expression" | "generator_function",
        ArrowFunction = "arrow_function",
        Class = "class",
        Member = "member_expression",
        Subscript = "subscript_expression",
        Call = "call_expression",
        New = "new_expression",
        Parenthesized = "parenthesized_expression",
        NonNull = "non_null_expression",
        As = "as_expression" | "satisfies_expression",
        TypeAssertion = "type_assertion",
        Instantiation = "instantiation_expression",
        Assignment = "assignment_expression",
        AugmentedAssignment = "augmented_assignment_expression",
        Await = "await_expression",
        Yield = "yield_expression",
        Unary = "unary_expression",
        Binary = "binary_expression",
        Ternary = "ternary_expression",
        Update = "update_expression",
        Sequence = "sequence_expression",
        OptionalChain = "optional_chain",
        MetaProperty = "meta_property",
        Jsx = "jsx_element" | "jsx_self_closing_element",
        JsxExpression = "jsx_expression",
        JsxPart = "jsx_opening_element" | "jsx_attribute",
        Token = "any keyword or punctuation",
    }
}

names! {
    /// The role of a node in its parent.
    pub(super) enum Field, named_field {
        Alias = "alias",
        Alternative = "alternative",
        Argument = "argument",
        Arguments = "arguments",
        Body = "body",
        Condition = "condition",
        Consequence = "consequence",
        Constraint = "constraint",
        Constructor = "constructor",
        Declaration = "declaration",
        Finalizer = "finalizer",
        Function = "function",
        Handler = "handler",
        Increment = "increment",
        Index = "index",
        Initializer = "initializer",
        Key = "key",
        Left = "left",
        Module = "module",
        Name = "name",
        Object = "object",
        Operator = "operator",
        Parameter = "parameter",
        Parameters = "parameters",
        Pattern = "pattern",
        Property = "property",
        ReturnType = "return_type",
        Right = "right",
        Source = "source",
        Type = "type",
        TypeArguments = "type_arguments",
        TypeParameters = "type_parameters",
        Value = "value",
    }
}

/// The grammars of TypeScript, TSX and JavaScript.
pub(super) struct Script;

pub(super) type Tables = crate::languages::grammar::Tables<Script>;
pub(super) type Lowering<'t> = crate::languages::tree::Lowering<'t, Script>;
pub(super) type Child<'t> = crate::languages::tree::Child<'t, Script>;
pub(super) use crate::languages::tree::Opened;

/// State of lowering besides the walk's own.
#[derive(Default)]
pub(super) struct Extra {
    /// What has to stand before the statement that is being lowered: classes that are expressions.
    pub(super) before: Vec<Stmt>,
}

impl Grammar for Script {
    type Kind = Kind;
    type Field = Field;
    type Extra = Extra;

    const TOKEN: Kind = Kind::Token;
    const ERROR: Kind = Kind::Error;
    const NO_FIELD: Field = Field::Unlisted;

    fn kind(name: &str) -> Kind {
        named_kind(name)
    }

    fn field(name: &str) -> Field {
        named_field(name)
    }

    fn is_skipped(kind: Kind) -> bool {
        matches!(kind, Kind::Comment | Kind::OptionalChain)
    }

    fn is_opaque(kind: Kind) -> bool {
        kind == Kind::Jsx
    }

    fn is_statement(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::ImportStatement
                | Kind::ExportStatement
                | Kind::ExpressionStatement
                | Kind::VariableDeclaration
                | Kind::StatementBlock
                | Kind::IfStatement
                | Kind::SwitchStatement
                | Kind::ForStatement
                | Kind::ForInStatement
                | Kind::WhileStatement
                | Kind::TryStatement
                | Kind::WithStatement
                | Kind::LabeledStatement
                | Kind::BreakStatement
                | Kind::ContinueStatement
                | Kind::ReturnStatement
                | Kind::ThrowStatement
                | Kind::EmptyStatement
                | Kind::DebuggerStatement
                | Kind::FunctionDeclaration
                | Kind::FunctionSignature
                | Kind::ClassDeclaration
                | Kind::InterfaceDeclaration
                | Kind::EnumDeclaration
                | Kind::TypeAliasDeclaration
                | Kind::AmbientDeclaration
                | Kind::Namespace
                | Kind::ImportAlias
                | Kind::Error
        )
    }
}

pub(in crate::languages) fn grammar(dialect: Dialect) -> Language {
    match dialect {
        Dialect::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        Dialect::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
        Dialect::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
    }
}

pub(super) fn tables(dialect: Dialect) -> &'static Tables {
    static TABLES: [OnceLock<Tables>; 3] = [const { OnceLock::new() }; 3];
    TABLES[dialect as usize].get_or_init(|| Tables::new(&grammar(dialect)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_exists_in_a_grammar() {
        let typed = tables(Dialect::TypeScript);
        for kind in [Kind::Program, Kind::MappedTypeClause, Kind::Token, Kind::OptionalChain] {
            assert!(typed.kinds().contains(&kind), "{kind:?}");
        }
        for dialect in [Dialect::TypeScript, Dialect::Tsx] {
            let fields = tables(dialect).fields();
            assert_eq!(fields.iter().filter(|field| **field != Field::Unlisted).count(), 33);
        }
        assert!(tables(Dialect::Tsx).kinds().contains(&Kind::Jsx));
        assert!(tables(Dialect::JavaScript).kinds().contains(&Kind::FieldDefinition));
    }
}
