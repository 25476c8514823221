//! Patterns of code: what a rule about source looks for, in the language of ast-grep. One walk over the syntax tree that
//! a file is lowered from asks, at each node, only those rules that such a node can begin a match of.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use ast_grep_config::{DeserializeEnv, RuleCore, SerializableRule, SerializableRuleCore};
use ast_grep_core::language::Language as Patterned;
use ast_grep_core::matcher::{MatcherExt, PatternBuilder};
use ast_grep_core::meta_var::MetaVariable;
use ast_grep_core::tree_sitter::{LanguageExt, StrDoc};
use ast_grep_core::{AstGrep, Matcher, Pattern, PatternError};
use serde::Deserialize;
use tree_sitter::Tree;

use super::typescript::{self, Dialect};
use super::{Language, csharp, python};

/// A grammar. What one of them knows has no meaning for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Syntax {
    Python,
    TypeScript,
    Tsx,
    JavaScript,
    CSharp,
}

impl Syntax {
    pub const ALL: [Syntax; 5] = [Syntax::Python, Syntax::TypeScript, Syntax::Tsx, Syntax::JavaScript, Syntax::CSharp];

    /// The grammars that a rule's `language` means; none where there is no such language.
    pub fn named(name: &str) -> &'static [Syntax] {
        match name {
            "python" => &[Syntax::Python],
            "typescript" => &[Syntax::TypeScript, Syntax::Tsx],
            "tsx" => &[Syntax::Tsx],
            "javascript" => &[Syntax::JavaScript],
            "csharp" => &[Syntax::CSharp],
            _ => &[],
        }
    }

    /// The languages whose files may be of it.
    pub fn is_of(self, language: Language) -> bool {
        match language {
            Language::Component => matches!(self, Syntax::TypeScript | Syntax::Tsx | Syntax::JavaScript),
            Language::Python => self == Syntax::Python,
            Language::TypeScript => self == Syntax::TypeScript,
            Language::Tsx => self == Syntax::Tsx,
            Language::JavaScript => self == Syntax::JavaScript,
            Language::CSharp => self == Syntax::CSharp,
        }
    }

    fn grammar(self) -> tree_sitter::Language {
        match self {
            Syntax::Python => python::grammar(),
            Syntax::TypeScript => typescript::grammar(Dialect::TypeScript),
            Syntax::Tsx => typescript::grammar(Dialect::Tsx),
            Syntax::JavaScript => typescript::grammar(Dialect::JavaScript),
            Syntax::CSharp => csharp::grammar(),
        }
    }
}

impl Patterned for Syntax {
    /// `$` begins no name in Python and C#, so that the parser is shown another letter there.
    fn expando_char(&self) -> char {
        match self {
            Syntax::Python | Syntax::CSharp => 'µ',
            Syntax::TypeScript | Syntax::Tsx | Syntax::JavaScript => '$',
        }
    }

    fn pre_process_pattern<'q>(&self, query: &'q str) -> Cow<'q, str> {
        let sign = self.expando_char();
        if sign == '$' {
            return Cow::Borrowed(query);
        }
        let mut shown = String::with_capacity(query.len());
        let mut dollars = 0;
        for letter in query.chars().chain(std::iter::once('\0')) {
            if letter == '$' {
                dollars += 1;
                continue;
            }
            // `$A`, `$_`, `$$$A`, `$$$`.
            let is_name = letter.is_ascii_uppercase() || letter == '_' || dollars == 3;
            shown.extend(std::iter::repeat_n(if is_name { sign } else { '$' }, dollars));
            dollars = 0;
            if letter != '\0' {
                shown.push(letter);
            }
        }
        Cow::Owned(shown)
    }

    fn kind_to_id(&self, kind: &str) -> u16 {
        self.grammar().id_for_node_kind(kind, true)
    }

    fn field_to_id(&self, field: &str) -> Option<u16> {
        self.grammar().field_id_for_name(field).map(std::num::NonZeroU16::get)
    }

    fn build_pattern(&self, builder: &PatternBuilder) -> Result<Pattern, PatternError> {
        builder.build(|text| StrDoc::try_new(text, *self))
    }
}

impl LanguageExt for Syntax {
    fn get_ts_language(&self) -> tree_sitter::Language {
        self.grammar()
    }
}

/// A syntax tree with what it is of.
pub struct Parsed<'t> {
    pub(super) tree: &'t Tree,
    pub(super) text: &'t str,
    pub(super) syntax: Syntax,
}

/// What a rule looks for in some languages, as ast-grep reads it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// `python`, `typescript` (with elements in angle brackets or not), `tsx`, `javascript`, `csharp`.
    pub languages: Vec<String>,
    rule: SerializableRule,
    /// What stands for a name of the pattern, by name.
    constraints: Option<HashMap<String, SerializableRule>>,
    /// Rules that `matches` refers to, by name.
    utils: Option<HashMap<String, SerializableRule>>,
}

impl std::fmt::Debug for Query {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Query").field("languages", &self.languages).finish_non_exhaustive()
    }
}

/// A query for one grammar.
#[derive(Clone)]
pub struct CodePattern {
    syntax: Syntax,
    rule: Arc<RuleCore>,
}

impl CodePattern {
    /// # Errors
    /// What is wrong with the query, in words: it is no code of the language, names a kind of node that there is not, or
    /// says nothing of which nodes it is about.
    pub fn of(query: &Query, syntax: Syntax) -> Result<Self, String> {
        let core = SerializableRuleCore {
            rule: query.rule.clone(),
            constraints: query.constraints.clone(),
            utils: query.utils.clone(),
            transform: None,
        };
        let rule = core.get_matcher(DeserializeEnv::new(syntax)).map_err(|error| {
            let mut told = error.to_string();
            let mut inner = std::error::Error::source(&error);
            while let Some(next) = inner {
                told = format!("{} {next}", told.trim_end_matches('.'));
                inner = next.source();
            }
            told
        })?;
        if rule.potential_kinds().is_none() {
            return Err("it would be tried at every node of a file: add a `pattern` or a `kind`".to_owned());
        }
        Ok(CodePattern { syntax, rule: Arc::new(rule) })
    }
}

/// Where a pattern was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Position in the list of patterns.
    pub pattern: usize,
    pub start: usize,
    pub end: usize,
    /// What `$NAME` and the like stand for there, sorted by name.
    pub names: Vec<(String, String)>,
}

/// Patterns of one grammar, by the kinds of nodes that they can begin at.
struct Table {
    syntax: Syntax,
    by_kind: Vec<Vec<usize>>,
}

/// Patterns that are looked for together.
pub struct Patterns {
    all: Vec<CodePattern>,
    tables: Vec<Table>,
}

impl Patterns {
    pub fn new(all: Vec<CodePattern>) -> Self {
        let mut tables = Vec::new();
        for syntax in Syntax::ALL {
            let mut by_kind: Vec<Vec<usize>> = Vec::new();
            for (at, pattern) in all.iter().enumerate().filter(|(_, pattern)| pattern.syntax == syntax) {
                for kind in pattern.rule.potential_kinds().iter().flatten() {
                    if by_kind.len() <= kind {
                        by_kind.resize(kind + 1, Vec::new());
                    }
                    by_kind[kind].push(at);
                }
            }
            if !by_kind.is_empty() {
                tables.push(Table { syntax, by_kind });
            }
        }
        Patterns { all, tables }
    }

    /// Whether any may be found in files of a language.
    pub fn look_at(&self, language: Language) -> bool {
        self.tables.iter().any(|table| table.syntax.is_of(language))
    }

    /// Everything that is found in a file, in the order of the source; `wanted` says of a pattern whether it is looked for
    /// there.
    pub fn find(&self, parsed: &Parsed<'_>, wanted: impl Fn(usize) -> bool) -> Vec<Place> {
        let Some(table) = self.tables.iter().find(|table| table.syntax == parsed.syntax) else { return Vec::new() };
        let wanted: Vec<bool> = (0..self.all.len()).map(wanted).collect();
        let is_wanted = |at: &&usize| wanted[**at];
        if !table.by_kind.iter().flatten().any(|at| wanted[*at]) {
            return Vec::new();
        }
        let document = StrDoc { src: parsed.text.to_owned(), lang: parsed.syntax, tree: parsed.tree.clone() };
        let root = AstGrep::doc(document);
        let mut found = Vec::new();
        for node in root.root().dfs() {
            let Some(interested) = table.by_kind.get(node.kind_id() as usize) else { continue };
            for at in interested.iter().filter(is_wanted) {
                let Some(matched) = self.all[*at].rule.match_node(node.clone()) else { continue };
                let env = matched.get_env();
                let mut names: Vec<(String, String)> = env
                    .get_matched_variables()
                    .filter_map(|variable| match variable {
                        MetaVariable::Capture(name, _) => {
                            Some((name.clone(), env.get_match(&name)?.text().into_owned()))
                        }
                        // Labels of ast-grep itself, in lower case, hold nodes in no order.
                        MetaVariable::MultiCapture(name) if !name.starts_with(|c: char| c.is_ascii_lowercase()) => {
                            let nodes = env.get_multiple_matches(&name);
                            let range = nodes.first().zip(nodes.last()).map(|it| it.0.range().start..it.1.range().end);
                            let text = range.map_or(Some(""), |range| parsed.text.get(range));
                            Some((name, text?.to_owned()))
                        }
                        _ => None,
                    })
                    .collect();
                names.sort();
                let range = matched.range();
                found.push(Place { pattern: *at, start: range.start, end: range.end, names });
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::{Language, lower_looking};
    use crate::text::FileId;

    fn names(rule: &str, text: &str) -> Vec<Vec<(String, String)>> {
        let query: Query = toml::from_str(&format!("languages = [\"javascript\"]\nrule = {rule}")).expect("a query");
        let pattern = CodePattern::of(&query, Syntax::named("javascript")[0]).expect("a pattern");
        let patterns = Patterns::new(vec![pattern]);
        let mut found = Vec::new();
        lower_looking(Language::JavaScript, FileId(0), "a.js", text, &mut |parsed| {
            found = patterns.find(parsed, |_| true);
        });
        found.into_iter().map(|it| it.names).collect()
    }

    #[test]
    fn names_stand_for_one_node_or_for_several() {
        let owned = |all: &[(&str, &str)]| all.iter().map(|it| (it.0.to_owned(), it.1.to_owned())).collect::<Vec<_>>();
        let found = names("{ pattern = \"old($A, $$$REST)\" }", "old(1, b, {c: 2});\nold(3);\n");
        assert_eq!(found[0], owned(&[("A", "1"), ("REST", "b, {c: 2}")]));
        // What a relation looked at is nobody's name.
        let nested = "{ kind = \"try_statement\", has = { kind = \"call_expression\", stopBy = \"end\" } }";
        assert_eq!(names(nested, "try { a(); b(); } catch { c(); }"), [owned(&[])]);
    }
}
