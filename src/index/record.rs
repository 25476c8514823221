//! What the index keeps of one file: its symbols, its imports, and every name that is used in it, with what is needed to
//! tell what the name means once the other files are known. It follows from the text of the file alone, so that it can be
//! kept by the hash of that text.

use serde::{Deserialize, Serialize};

/// Raised whenever a record of the same text would be another one.
pub(super) const FORMAT: u32 = 4;

/// Index of a [`Symbol`] in its record.
pub(super) type SymbolId = u32;
/// Index of a [`Term`] in its record.
pub(super) type TermId = u32;
/// Index of a [`Binding`] in its record.
pub(super) type BindingId = u32;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub symbols: Vec<Symbol>,
    pub imports: Vec<Imported>,
    pub bindings: Vec<Binding>,
    /// What names stand for, each once; what a term is made of comes before it.
    pub terms: Vec<Term>,
    pub uses: Vec<Use>,
    /// Names that the file itself binds, and those of namespaces in it.
    pub top: Vec<BindingId>,
    /// Lines that hold something besides blanks.
    pub lines: u32,
    /// Places could not be read.
    pub incomplete: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SymbolKind {
    Class,
    Function,
    Interface,
    Type,
    Enum,
    Variable,
    Method,
}

impl SymbolKind {
    pub fn name(self) -> &'static str {
        match self {
            SymbolKind::Class => "class",
            SymbolKind::Function => "function",
            SymbolKind::Interface => "interface",
            SymbolKind::Type => "type",
            SymbolKind::Enum => "enum",
            SymbolKind::Variable => "variable",
            SymbolKind::Method => "method",
        }
    }

    /// Whether it has members and can stand in a place for types.
    pub fn is_type(self) -> bool {
        matches!(self, SymbolKind::Class | SymbolKind::Interface | SymbolKind::Type | SymbolKind::Enum)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Symbol {
    #[serde(rename = "n")]
    pub name: String,
    #[serde(rename = "k")]
    pub kind: SymbolKind,
    /// The class, function or object that it stands in.
    #[serde(rename = "p", default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<SymbolId>,
    /// Of its name, from 1; the column counts characters.
    #[serde(rename = "l")]
    pub line: u32,
    #[serde(rename = "c")]
    pub column: u32,
    /// First and last line, decorators included.
    #[serde(rename = "r")]
    pub lines: (u32, u32),
    #[serde(rename = "s", default, skip_serializing_if = "String::is_empty")]
    pub signature: String,
    #[serde(rename = "d", default, skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// The namespace that it is declared in (C#).
    #[serde(rename = "ns", default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Other files may use it.
    #[serde(rename = "e", default)]
    pub exported: bool,
    /// Reading it runs it: a property.
    #[serde(rename = "g", default, skip_serializing_if = "is_false")]
    pub getter: bool,
    /// Something is written at it that may use it: a decorator, an attribute.
    #[serde(rename = "a", default, skip_serializing_if = "is_false")]
    pub decorated: bool,
    /// It overrides, or may.
    #[serde(rename = "o", default, skip_serializing_if = "is_false")]
    pub overrides: bool,
    /// It belongs to the class, not to its objects.
    #[serde(rename = "t", default, skip_serializing_if = "is_false")]
    pub is_static: bool,
    /// What a class extends and implements.
    #[serde(rename = "b", default, skip_serializing_if = "Vec::is_empty")]
    pub bases: Vec<TermId>,
    /// What functions get that are given to it: by argument, what each of their parameters is.
    #[serde(rename = "h", default, skip_serializing_if = "Vec::is_empty")]
    pub hands: Vec<(u32, Vec<TermId>)>,
    /// What a variable holds, what a function gives when it is called, what an alias of a type means.
    #[serde(rename = "v", default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<TermId>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// One imported name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    #[serde(rename = "m")]
    pub module: String,
    #[serde(rename = "v", default)]
    pub level: u32,
    #[serde(rename = "w")]
    pub what: Taken,
    #[serde(rename = "l")]
    pub line: u32,
}

/// What is taken of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Taken {
    /// Its first name: `import a.b` binds `a`.
    #[serde(rename = "m")]
    Module,
    /// The module.
    #[serde(rename = "w")]
    Whole,
    #[serde(rename = "n")]
    Name(String),
    /// All of its names.
    #[serde(rename = "*")]
    Star,
    /// The members of a type.
    #[serde(rename = "s")]
    Static,
    /// What the module exports, be it one value or its names.
    #[serde(rename = "r")]
    Require,
}

/// A name that is bound in a scope.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Binding {
    #[serde(rename = "n")]
    pub name: String,
    #[serde(rename = "s", default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<SymbolId>,
    #[serde(rename = "i", default, skip_serializing_if = "Option::is_none")]
    pub import: Option<u32>,
    /// What was assigned to a variable of a function, or what a parameter is declared as.
    #[serde(rename = "v", default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<TermId>,
}

/// What an expression stands for, as far as names decide it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Term {
    #[serde(rename = "?")]
    Unknown,
    #[serde(rename = "b")]
    Bound(BindingId),
    /// A name that the file does not bind, and the class that it stands in.
    #[serde(rename = "f")]
    Free(String, Option<SymbolId>),
    #[serde(rename = "m")]
    Member(TermId, String),
    /// What a call gives.
    #[serde(rename = "c")]
    Called(TermId),
    /// A value of a written type.
    #[serde(rename = "o")]
    Value(TermId),
    /// `base[args]`, `base<args>`
    #[serde(rename = "x")]
    Index(TermId, Vec<TermId>),
    /// What a loop takes out of it.
    #[serde(rename = "i")]
    Item(TermId),
    #[serde(rename = "w")]
    Awaited(TermId),
    #[serde(rename = "e")]
    Either(Vec<TermId>),
    /// `self`, `this`
    #[serde(rename = "s")]
    This(SymbolId),
    /// The class itself: `cls`.
    #[serde(rename = "t")]
    Class(SymbolId),
    /// What a class inherits: `super()`.
    #[serde(rename = "u")]
    Super(SymbolId),
    /// An object by its members.
    #[serde(rename = "r")]
    Record(Vec<(String, TermId)>),
    /// What a call hands to a function that is its argument: which argument, and which parameter of that.
    #[serde(rename = "h")]
    Handed(TermId, u32, u32),
    /// A list of such things.
    #[serde(rename = "l")]
    List(TermId),
}

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UseKind {
    #[serde(rename = "c")]
    Call,
    #[serde(rename = "r")]
    Read,
}

/// A name that is used. Written as a list, for there are many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    pub line: u32,
    pub column: u32,
    pub term: TermId,
    pub kind: UseKind,
    /// The innermost symbol that it stands in.
    pub inside: Option<SymbolId>,
}

impl Serialize for Use {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let inside = self.inside.map_or(0, |symbol| symbol + 1);
        (self.line, self.column, self.term, u8::from(self.kind == UseKind::Call), inside).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Use {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (line, column, term, call, inside): (u32, u32, u32, u8, u32) = Deserialize::deserialize(deserializer)?;
        let kind = if call == 1 { UseKind::Call } else { UseKind::Read };
        Ok(Use { line, column, term, kind, inside: inside.checked_sub(1) })
    }
}

impl Record {
    /// The name that a term ends in, as it is written.
    pub fn name_of(&self, term: TermId) -> &str {
        match self.terms.get(term as usize) {
            Some(Term::Bound(binding)) => self.bindings.get(*binding as usize).map_or("", |it| it.name.as_str()),
            Some(Term::Free(name, _) | Term::Member(_, name)) => name,
            _ => "",
        }
    }

    /// `Class.method`, `function.inner`
    pub fn qualified(&self, symbol: SymbolId) -> String {
        let mut names = Vec::new();
        let mut next = Some(symbol);
        while let Some(symbol) = next.and_then(|at| self.symbols.get(at as usize)) {
            names.push(symbol.name.as_str());
            next = symbol.parent;
        }
        names.reverse();
        names.join(".")
    }
}
