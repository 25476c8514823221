//! The grammar's node kinds and fields as enums, looked up once by name: comparing numbers while walking is several
//! times faster than comparing names, and a grammar that renumbers its symbols changes nothing here.

use std::sync::OnceLock;

use tree_sitter::{Language, Node};

/// Declares an enum with a variant for each name of the grammar that lowering looks at; `Unlisted` for the rest.
macro_rules! names {
    ($(#[$about:meta])* $vis:vis enum $enum:ident, $lookup:ident { $($(#[$note:meta])* $variant:ident = $($name:literal)|+,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $enum {
            Unlisted,
            $($(#[$note])* $variant,)*
        }

        fn $lookup(name: &str) -> $enum {
            match name {
                $($($name)|+ => $enum::$variant,)*
                _ => $enum::Unlisted,
            }
        }
    };
}

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
        /// `pass`, `assert`, `del`, `global` and the like, which say nothing about an API.
        DroppedStatement = "pass_statement" | "assert_statement" | "delete_statement" | "global_statement" | "nonlocal_statement" | "exec_statement" | "future_import_statement",
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
    pub(super) enum Field, field {
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

impl Kind {
    /// Whether it is read as a statement wherever it stands, be it inside of something unreadable.
    pub(super) fn is_statement(self) -> bool {
        matches!(
            self,
            Kind::ExpressionStatement
                | Kind::ImportStatement
                | Kind::ImportFromStatement
                | Kind::PrintStatement
                | Kind::ReturnStatement
                | Kind::RaiseStatement
                | Kind::BreakStatement
                | Kind::ContinueStatement
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

/// Number to enum, for every kind and field of the grammar.
pub(super) struct Tables {
    kinds: Vec<Kind>,
    fields: Vec<Field>,
}

impl Tables {
    pub(super) fn kind(&self, node: Node<'_>) -> Kind {
        // The parser's own kind for what it could not read has a number beyond the grammar's.
        self.kinds.get(node.kind_id() as usize).copied().unwrap_or(Kind::Error)
    }

    pub(super) fn field(&self, id: Option<std::num::NonZeroU16>) -> Field {
        id.and_then(|id| self.fields.get(id.get() as usize).copied()).unwrap_or(Field::Unlisted)
    }
}

pub(super) fn grammar() -> Language {
    tree_sitter_python::LANGUAGE.into()
}

pub(super) fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let grammar = grammar();
        let kinds = (0..grammar.node_kind_count() as u16).map(|id| {
            let name = grammar.node_kind_for_id(id).unwrap_or("");
            if grammar.node_kind_is_named(id) { named_kind(name) } else { Kind::Token }
        });
        let fields =
            (0..=grammar.field_count() as u16).map(|id| grammar.field_name_for_id(id).map_or(Field::Unlisted, field));
        Tables { kinds: kinds.collect(), fields: fields.collect() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_name_exists_in_the_grammar() {
        let grammar = grammar();
        let kinds: Vec<Kind> = (0..grammar.node_kind_count() as u16).map(|id| tables().kinds[id as usize]).collect();
        for kind in [Kind::Module, Kind::AsPatternTarget, Kind::Interpolation, Kind::LineContinuation, Kind::Token] {
            assert!(kinds.contains(&kind), "{kind:?}");
        }
        assert_eq!(tables().fields.iter().filter(|field| **field != Field::Unlisted).count(), 27);
    }
}
