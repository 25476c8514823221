//! What values that clients send are bound to: parameters of functions and properties of classes, each with its type and
//! what its attributes say.

use super::fields::{is_value, without_null};
use super::members::{Member, Members};
use super::{Schemas, Serialiser, arguments_of, builtin, libraries};
use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Value, last};
use crate::languages::csharp::typing;
use crate::model::ShapeId;
use crate::model::program::{ClassKind, ExprKind, Function, Modifiers, Param, ParamKind, StmtKind};
use crate::text::{FileId, Span};

/// A parameter or property that takes a value.
#[derive(Clone)]
pub struct Input<'p> {
    pub name: &'p str,
    pub ty: Value<'p>,
    /// As [`Evaluator::attributes`] gives them.
    pub attributes: Vec<Value<'p>>,
    /// Something stands for it where nothing is sent.
    pub has_default: bool,
    /// `required`
    pub is_required: bool,
    /// It stands where types do not say whether they hold null.
    pub is_oblivious: bool,
    /// Of a property: nobody outside can set it.
    pub is_read_only: bool,
    pub span: Span,
}

/// The parameters of a function. `receiver` is the type that it is called on, where that says more than the class that
/// declares it.
pub fn parameters<'p>(
    evaluator: &mut Evaluator<'p>,
    function: &FunctionRef<'p>,
    receiver: Option<&Value<'p>>,
) -> Vec<Input<'p>> {
    let types = typing::parameters(evaluator, function, receiver);
    let mut found = Vec::with_capacity(types.len());
    for (parameter, ty) in types {
        found.push(Input {
            name: &parameter.name,
            ty,
            attributes: evaluator.attributes(&parameter.decorators, &function.scope),
            has_default: parameter.default.is_some() || parameter.kind == ParamKind::Rest,
            is_required: false,
            is_oblivious: is_oblivious(evaluator, parameter.span.file),
            is_read_only: false,
            span: parameter.span,
        });
    }
    found
}

/// Whether types of a file leave open whether they hold null.
fn is_oblivious(evaluator: &Evaluator<'_>, file: FileId) -> bool {
    let module = evaluator.module_of_file(file);
    module.is_some_and(|module| evaluator.index.strict_nulls(module) != Some(true))
}

/// Types of libraries that are made from text, besides those that serialisers know.
const FROM_TEXT: &[&str] = &[
    "BigInteger",
    "Color",
    "CultureInfo",
    "Encoding",
    "IPAddress",
    "IPEndPoint",
    "Instant",
    "LocalDate",
    "LocalDateTime",
    "LocalTime",
    "MailAddress",
    "Point",
    "Size",
    "Ulid",
];

/// Whether a value of a type is made from one text rather than from parts; `None` where it cannot be known.
pub fn is_from_text<'p>(evaluator: &mut Evaluator<'p>, ty: &Value<'p>) -> Option<bool> {
    match without_null(ty).0 {
        Value::External(path) => {
            let name = last(&path);
            if builtin::scalar(name).is_some() || libraries::enumeration(name).is_some() || FROM_TEXT.contains(&name) {
                return Some(true);
            }
            let has_parts = builtin::is_anything(name)
                || builtin::is_free_object(name)
                || builtin::is_list(name)
                || libraries::members_of(name).is_some();
            has_parts.then_some(false)
        }
        Value::Class(class) => Some(class_is_from_text(evaluator, &class)),
        Value::Applied(base, args) => match &*base {
            Value::External(path) if last(path) == "Nullable" => is_from_text(evaluator, args.first()?),
            Value::External(path) => {
                let name = last(path);
                let has_parts = builtin::is_list(name)
                    || builtin::is_map(name)
                    || matches!(name, "KeyValuePair" | "Tuple" | "ValueTuple" | "JsonPatchDocument");
                has_parts.then_some(false)
            }
            Value::Class(class) => Some(class_is_from_text(evaluator, class)),
            _ => None,
        },
        _ => None,
    }
}

/// An enumeration, or a class that says how it is made from text.
fn class_is_from_text<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>) -> bool {
    if class.node.kind == ClassKind::Enum {
        return true;
    }
    let converts = evaluator.class_attributes(class).into_iter().flatten().any(|written| match &written.kind {
        ExprKind::Call { callee, .. } => matches!(
            &callee.kind,
            ExprKind::Name(name) | ExprKind::Member { name, .. } if name == "TypeConverter"
        ),
        _ => false,
    });
    converts || has_static(evaluator, class, "TryParse")
}

/// Whether a class has a static function of a name.
pub fn has_static<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, name: &str) -> bool {
    let functions = evaluator.overloads(class, name);
    functions.iter().any(|function| function.node.modifiers.has(Modifiers::STATIC))
}

/// What a list holds, where a type is one.
pub fn items_of<'p>(ty: &Value<'p>) -> Option<Value<'p>> {
    match without_null(ty).0 {
        Value::Applied(base, args) if base.as_external().is_some_and(|path| builtin::is_list(last(path))) => {
            args.last().cloned()
        }
        _ => None,
    }
}

/// Whether a type says that null belongs to it.
pub fn is_nullable(ty: &Value<'_>) -> bool {
    match ty {
        Value::Union(options) => options.iter().any(|option| matches!(option, Value::None)),
        Value::Applied(base, _) => base.as_external().is_some_and(|path| last(path) == "Nullable"),
        _ => false,
    }
}

impl Input<'_> {
    /// Whether null may stand there: its type says so, or cannot say.
    pub fn may_be_null(&self) -> bool {
        is_nullable(&self.ty) || (self.is_oblivious && !is_value(&self.ty))
    }
}

impl<'p> Schemas<'p> {
    /// The properties of a class that are bound one by one, those that it inherits included, and why there may be others.
    /// `None` where the type is no class of the program.
    pub fn inputs_of(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        ty: &Value<'p>,
    ) -> Option<(Vec<Input<'p>>, Option<String>)> {
        let (ty, _) = without_null(ty);
        let (class, args): (&ClassRef<'p>, &[Value<'p>]) = match &ty {
            Value::Class(class) => (class, &[]),
            Value::Applied(base, args) => match &**base {
                Value::Class(class) => (class, args),
                Value::External(path) if last(path) == "Nullable" => return self.inputs_of(evaluator, args.first()?),
                _ => return None,
            },
            _ => return None,
        };
        // How a serialiser is set up is of no matter.
        let style = std::mem::replace(&mut self.style, 0);
        let mut members = Members::default();
        self.members(evaluator, class, &arguments_of(class, args), 0, &mut members);
        self.style = style;
        let mut inputs = Vec::with_capacity(members.all.len());
        for member in members.all.values() {
            if !member.node.is_private && !member.node.modifiers.has(Modifiers::FIELD) {
                inputs.push(of_member(evaluator, member));
            }
        }
        for (declared, _) in &members.of_library {
            inputs.extend(declared.iter().filter(|(name, _)| !members.all.contains_key(name)).map(
                |(name, written)| {
                    let ty = Value::external(if *written == "TKey" { "string" } else { written.trim_end_matches('?') });
                    Input {
                        name,
                        ty,
                        attributes: Vec::new(),
                        has_default: false,
                        is_required: false,
                        is_oblivious: false,
                        is_read_only: false,
                        span: class.name_span(),
                    }
                },
            ));
        }
        Some((inputs, members.more))
    }

    /// What is taken for a value that is made of text, with what its attributes say besides.
    pub fn input_shape(
        &mut self,
        serialiser: Serialiser,
        evaluator: &mut Evaluator<'p>,
        input: &Input<'p>,
        site: Span,
    ) -> ShapeId {
        let shape = self.taken_as_text(serialiser, evaluator, &input.ty, site);
        let marks = self.marks_of(evaluator, &input.attributes, input.span.file);
        self.annotated(shape, &marks)
    }
}

fn of_member<'p>(evaluator: &mut Evaluator<'p>, member: &Member<'p>) -> Input<'p> {
    let node = member.node;
    let scope = evaluator.body_scope(&member.class);
    let mut attributes = evaluator.attributes(&node.decorators, &scope);
    let mut has_default = node.value.is_some();
    // A property that is a parameter of the class itself: its attributes stay with the parameter.
    if node.modifiers.has(Modifiers::PRIMARY)
        && let Some(parameter) = primary(evaluator, &member.class, &node.name)
    {
        attributes.extend(evaluator.attributes(&parameter.decorators, &scope));
        has_default = parameter.default.is_some();
    }
    Input {
        name: &node.name,
        ty: member.kind.clone(),
        attributes,
        has_default,
        is_required: node.modifiers.has(Modifiers::REQUIRED),
        is_oblivious: member.is_oblivious,
        is_read_only: node.modifiers.has(Modifiers::READ_ONLY),
        span: node.name_span,
    }
}

/// The parameter of a name of a class itself.
fn primary<'p>(evaluator: &Evaluator<'p>, class: &ClassRef<'p>, name: &str) -> Option<&'p Param> {
    evaluator.class_statements(class).into_iter().find_map(|statement| {
        let StmtKind::Function(function) = &statement.kind else { return None };
        let function: &'p Function = function;
        (function.name == "__init__" && function.modifiers.has(Modifiers::PRIMARY))
            .then(|| function.parameters.iter().find(|parameter| parameter.name == name))
            .flatten()
    })
}
