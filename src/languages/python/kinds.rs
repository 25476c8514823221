//! The node kinds and fields of the Python grammar.

use std::sync::OnceLock;

use tree_sitter::Language;

use crate::languages::grammar::{Grammar, names};

names! {
    /// Kind of a syntax node. Those that end in `Token` are keywords and punctuation.
    pub(super) enum Kind, named_kind {
        Module = "module",
        Error = "ERROR",
        Comment = "comment",
        LineContinuation = "line_continuation",
        // statements
        ImportStatement = "import_statement",
        ImportFromStatement = "import_from_statement",
        PrintStatement = "print_statement",
        ExpressionStatement = "expression_statement",
        ReturnStatement = "return_statement",
        RaiseStatement = "raise_statement",
        BreakStatement = "break_statement",
        ContinueStatement = "continue_statement",
        IfStatement = "if_statement",
        ElifClause = "elif_clause",
        ElseClause = "else_clause",
        MatchStatement = "match_statement",
        CaseClause = "case_clause",
        ForStatement = "for_statement",
        WhileStatement = "while_statement",
        TryStatement = "try_statement",
        ExceptClause = "except_clause",
        FinallyClause = "finally_clause",
        WithStatement = "with_statement",
        WithClause = "with_clause",
        WithItem = "with_item",
        FunctionDefinition = "function_definition",
        ClassDefinition = "class_definition",
        DecoratedDefinition = "decorated_definition",
        Decorator = "decorator",
        TypeAliasStatement = "type_alias_statement",
        DeleteStatement = "delete_statement",
        /// `pass`, `assert`, `global` and the like, which say nothing about an API.
        DroppedStatement = "pass_statement" | "assert_statement" | "global_statement" | "nonlocal_statement" | "exec_statement" | "future_import_statement",
        Block = "block",
        Assignment = "assignment",
        AugmentedAssignment = "augmented_assignment",
        // imports
        DottedName = "dotted_name",
        AliasedImport = "aliased_import",
        RelativeImport = "relative_import",
        ImportPrefix = "import_prefix",
        WildcardImport = "wildcard_import",
        // parameters
        TypedParameter = "typed_parameter",
        DefaultParameter = "default_parameter",
        TypedDefaultParameter = "typed_default_parameter",
        KeywordSeparator = "keyword_separator",
        PositionalSeparator = "positional_separator",
        DictionarySplatPattern = "dictionary_splat_pattern",
        // types
        Type = "type",
        SplatType = "splat_type",
        GenericType = "generic_type",
        UnionType = "union_type",
        ConstrainedType = "constrained_type",
        MemberType = "member_type",
        TypeParameter = "type_parameter",
        // patterns that are assigned to
        PatternList = "pattern_list",
        TuplePattern = "tuple_pattern",
        ListPattern = "list_pattern",
        ListSplatPattern = "list_splat_pattern",
        AsPattern = "as_pattern",
        AsPatternTarget = "as_pattern_target",
        // expressions
        Identifier = "identifier",
        Integer = "integer",
        Float = "float",
        True = "true",
        False = "false",
        None = "none",
        Ellipsis = "ellipsis",
        String = "string",
        ConcatenatedString = "concatenated_string",
        StringStart = "string_start",
        StringEnd = "string_end",
        Interpolation = "interpolation",
        Attribute = "attribute",
        Subscript = "subscript",
        Slice = "slice",
        Call = "call",
        ArgumentList = "argument_list",
        KeywordArgument = "keyword_argument",
        ListSplat = "list_splat",
        DictionarySplat = "dictionary_splat",
        List = "list",
        Set = "set",
        Tuple = "tuple",
        ExpressionList = "expression_list",
        Dictionary = "dictionary",
        Pair = "pair",
        ListComprehension = "list_comprehension",
        SetComprehension = "set_comprehension",
        DictionaryComprehension = "dictionary_comprehension",
        GeneratorExpression = "generator_expression",
        ForInClause = "for_in_clause",
        IfClause = "if_clause",
        ParenthesizedExpression = "parenthesized_expression",
        BinaryOperator = "binary_operator",
        BooleanOperator = "boolean_operator",
        NotOperator = "not_operator",
        UnaryOperator = "unary_operator",
        ComparisonOperator = "comparison_operator",
        ConditionalExpression = "conditional_expression",
        NamedExpression = "named_expression",
        Lambda = "lambda",
        Await = "await",
        Yield = "yield",
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
        Attribute = "attribute",
        Body = "body",
        Condition = "condition",
        Consequence = "consequence",
        Definition = "definition",
        Expression = "expression",
        Function = "function",
        Key = "key",
        Left = "left",
        ModuleName = "module_name",
        Name = "name",
        Object = "object",
        Operator = "operator",
        Operators = "operators",
        Parameters = "parameters",
        ReturnType = "return_type",
        Right = "right",
        Subject = "subject",
        Subscript = "subscript",
        Superclasses = "superclasses",
        Type = "type",
        TypeParameters = "type_parameters",
        Value = "value",
    }
}

/// The grammar of Python 3, and of much of Python 2.
pub(super) struct Python;

pub(super) type Tables = crate::languages::grammar::Tables<Python>;

impl Grammar for Python {
    type Kind = Kind;
    type Field = Field;
    type Extra = ();

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
        matches!(kind, Kind::Comment | Kind::LineContinuation)
    }

    fn is_statement(kind: Kind) -> bool {
        matches!(
            kind,
            Kind::ExpressionStatement
                | Kind::ImportStatement
                | Kind::ImportFromStatement
                | Kind::PrintStatement
                | Kind::ReturnStatement
                | Kind::RaiseStatement
                | Kind::BreakStatement
                | Kind::ContinueStatement
                | Kind::DeleteStatement
                | Kind::DroppedStatement
                | Kind::IfStatement
                | Kind::MatchStatement
                | Kind::ForStatement
                | Kind::WhileStatement
                | Kind::TryStatement
                | Kind::WithStatement
                | Kind::FunctionDefinition
                | Kind::ClassDefinition
                | Kind::DecoratedDefinition
                | Kind::TypeAliasStatement
                | Kind::Block
                | Kind::Error
        )
    }
}

pub(in crate::languages) fn grammar() -> Language {
    tree_sitter_python::LANGUAGE.into()
}

pub(super) fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| Tables::new(&grammar()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_exists_in_the_grammar() {
        let kinds = tables().kinds();
        for kind in [Kind::Module, Kind::AsPatternTarget, Kind::Interpolation, Kind::LineContinuation, Kind::Token] {
            assert!(kinds.contains(&kind), "{kind:?}");
        }
        assert_eq!(tables().fields().iter().filter(|field| **field != Field::Unlisted).count(), 27);
    }
}
