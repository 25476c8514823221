//! What decorators say about a property that is sent or taken: OpenAPI declarations of @nestjs/swagger
//! (docs.nestjs.com/openapi/types-and-parameters), optionality of class-validator, and what class-transformer leaves out or
//! renames (github.com/typestack/class-transformer).

use std::rc::Rc;

use super::openapi::member;
use super::types::{Prop, Type};
use super::{Schemas, Side};
use crate::evaluate::{Args, ClassRef, Evaluator, Library, Made, Value};
use crate::text::Span;

/// Decorators that nest in each other are opened this deep: deeper than calls may be nested in source, so that none is left
/// out.
const MAX_NESTED: u32 = 250;

/// What the decorators of one property say; `None` is nothing.
#[derive(Default)]
pub(super) struct PropertyFacts<'p> {
    /// Stated as not required, or as required.
    pub(super) required: Option<bool>,
    /// Taken: validation passes over it where it is left out.
    pub(super) may_miss: bool,
    /// Taken: but not where it is null.
    pub(super) only_absent: bool,
    pub(super) nullable: Option<bool>,
    /// What its values are declared to be.
    pub(super) ty: Option<Type<'p>>,
    /// It is declared for documents.
    pub(super) stated: bool,
    /// Never sent, or never taken.
    pub(super) hidden: bool,
    /// Of a column that may hold no value: loaded, it is there as null, whatever its type says of being left out.
    pub(super) loaded: bool,
    /// The name on the wire.
    pub(super) name: Option<String>,
    /// A function makes another value of it on the way.
    pub(super) transformed: Option<Span>,
}

/// Decorators are kept as they are called, whatever their arguments.
pub static DECORATORS: Library = Library { name: "class-validator", call, ..Library::TYPESCRIPT };

const PACKAGES: &[&str] = &["class-validator.", "class-transformer."];

fn call<'p>(_evaluator: &mut Evaluator<'p>, path: &str, args: &Args<'p>, site: Span) -> Option<Value<'p>> {
    if !PACKAGES.iter().any(|package| path.starts_with(package)) {
        return None;
    }
    Some(Value::Made(Rc::new(Made { path: Rc::from(path), receiver: None, args: args.clone(), site })))
}

/// `@Column({ nullable: true })` of TypeORM.
fn is_nullable_column(decorator: &Value) -> bool {
    let Value::Made(made) = decorator else { return false };
    let says = |options: &Value| match options {
        Value::Dict(options) => matches!(options.borrow().get_str("nullable"), Some(Value::Bool(true))),
        _ => false,
    };
    made.path.starts_with("typeorm.") && made.name().ends_with("Column") && made.args.positional.iter().any(says)
}

impl<'p> Schemas<'p> {
    /// Reads the decorators of a property in the order they are written: the topmost has the last word.
    pub(super) fn facts_of(&mut self, ev: &mut Evaluator<'p>, prop: &Prop<'p>) -> PropertyFacts<'p> {
        let Some((written, class)) = &prop.decorators else { return PropertyFacts::default() };
        let scope = ev.body_scope(class);
        let values: Vec<Value<'p>> = written.iter().map(|decorator| ev.decorator(decorator, &scope)).collect();
        let hidden = leaves_out(ev, class, self.side);
        let loaded = values.iter().any(is_nullable_column);
        self.property_facts(ev, &values, PropertyFacts { hidden, loaded, ..PropertyFacts::default() })
    }

    /// What evaluated decorators say, on top of what is known.
    pub(super) fn property_facts(
        &mut self,
        ev: &mut Evaluator<'p>,
        decorators: &[Value<'p>],
        mut facts: PropertyFacts<'p>,
    ) -> PropertyFacts<'p> {
        let mut made = Vec::new();
        open(decorators, &mut made, 0);
        for decorator in made.iter().rev() {
            self.read_decorator(ev, decorator, &mut facts);
        }
        facts
    }

    fn read_decorator(&mut self, ev: &mut Evaluator<'p>, made: &Rc<Made<'p>>, facts: &mut PropertyFacts<'p>) {
        let package = made.path.split('.').next().unwrap_or("");
        let first = made.args.positional.first();
        let option = |key: &str| first.and_then(|options| member(options, key));
        match (package, made.name()) {
            ("@nestjs/swagger", "ApiProperty" | "ApiResponseProperty") => self.read_api_property(ev, made, facts),
            ("@nestjs/swagger", "ApiPropertyOptional") => {
                self.read_api_property(ev, made, facts);
                facts.required = Some(false);
            }
            // Not loaded, or kept back when a row is written out.
            ("typeorm", "Column") | ("@nestjs/mongoose", "Prop") if self.side == Side::Output => {
                let options = made.args.positional.iter().find_map(|options| member(options, "select"));
                facts.hidden |= matches!(options, Some(Value::Bool(false)));
            }
            ("@mikro-orm/core", _) if self.side == Side::Output => {
                let options = made.args.positional.iter().find_map(|options| member(options, "hidden"));
                facts.hidden |= matches!(options, Some(Value::Bool(true)));
            }
            ("class-transformer", "Exclude") => {
                // `@Exclude({ toClassOnly: true })` is about what is taken, `toPlainOnly` about what is sent.
                facts.hidden |= !is_set(option(self.other_way()).as_ref());
            }
            // Taken, and nobody is to know.
            ("@nestjs/swagger", "ApiHideProperty") => facts.hidden |= self.side == Side::Input,
            ("class-validator", "IsOptional") if self.side == Side::Input => facts.may_miss = true,
            // Mostly `value !== undefined`: what else it depends on is not known.
            ("class-validator", "ValidateIf") if self.side == Side::Input => {
                facts.may_miss = true;
                facts.only_absent = true;
            }
            ("class-transformer", "Expose") => {
                if is_set(option(self.other_way()).as_ref()) {
                    return;
                }
                facts.hidden = false;
                if let Some(Value::Str(name)) = option("name") {
                    facts.name = Some(name.to_string());
                }
            }
            ("class-transformer", "Transform") => {
                let options = made.args.positional.get(1);
                if !is_set(options.and_then(|options| member(options, self.other_way())).as_ref()) {
                    facts.transformed = Some(made.site);
                }
            }
            _ => {}
        }
    }

    /// The type of a member as its decorators declare it, null and undefined as its type says.
    pub(super) fn decorated(&mut self, ev: &mut Evaluator<'p>, ty: &Type<'p>, facts: &PropertyFacts<'p>) -> Type<'p> {
        // What is taken is what the framework states of it, where it states a type.
        let transforms = match self.side {
            Side::Output => self.transforms,
            Side::Input => facts.ty.is_none() && !facts.stated,
        };
        if let (Some(site), true) = (facts.transformed, transforms) {
            return Type::unknown("value is made by a function of `@Transform()`", Some(site));
        }
        let or_null = |ty: Type<'p>| {
            if facts.nullable == Some(true) { Type::union(vec![ty, Type::Null]) } else { ty }
        };
        let Some(declared) = &facts.ty else { return or_null(ty.clone()) };
        let forced = self.force(ev, ty);
        let mut declared = declared.clone();
        let own = self.non_null(ev, &forced);
        // Of several values the decorator names the one, whether it says so or not.
        if matches!(own, Type::Array(_)) && self.items(ev, &declared).is_none() {
            declared = Type::array(declared);
        }
        if matches!((&own, &declared), (Type::Date, Type::Text)) {
            declared = own;
        }
        let mut options = vec![declared];
        if let Type::Union(parts) = &forced {
            for part in parts.iter() {
                let part = self.force(ev, part);
                if part.is_nothing() {
                    options.push(part);
                }
            }
        }
        or_null(Type::union(options))
    }

    /// The option of class-transformer by which a decorator is about the other way only.
    fn other_way(&self) -> &'static str {
        if self.side == Side::Output { "toClassOnly" } else { "toPlainOnly" }
    }

    fn read_api_property(&mut self, ev: &mut Evaluator<'p>, made: &Rc<Made<'p>>, facts: &mut PropertyFacts<'p>) {
        facts.stated = true;
        let Some(options) = made.args.positional.first() else { return };
        if let Some(Value::Bool(required)) = member(options, "required") {
            facts.required = Some(required);
        }
        if let Some(Value::Bool(nullable)) = member(options, "nullable") {
            facts.nullable = Some(nullable);
        }
        if let Some(ty) = self.declared_by(ev, options, made.site) {
            facts.ty = Some(ty);
        }
    }
}

fn is_set(option: Option<&Value>) -> bool {
    matches!(option, Some(Value::Bool(true)))
}

/// Decorators that others are composed of, in order.
fn open<'p>(values: &[Value<'p>], out: &mut Vec<Rc<Made<'p>>>, depth: u32) {
    // A list that holds itself.
    if depth > MAX_NESTED {
        return;
    }
    for value in values {
        match value {
            Value::Made(made) if made.name() == "applyDecorators" => open(&made.args.positional, out, depth + 1),
            Value::Made(made) => out.push(made.clone()),
            Value::List(_) | Value::Tuple(_) => open(&value.elements().unwrap_or_default(), out, depth + 1),
            _ => {}
        }
    }
}

/// Whether a class leaves out every member that is not exposed one by one.
fn leaves_out<'p>(ev: &mut Evaluator<'p>, class: &ClassRef<'p>, side: Side) -> bool {
    let other_way = if side == Side::Output { "toClassOnly" } else { "toPlainOnly" };
    let scope = class.scope.clone();
    class.node.decorators.iter().any(|decorator| match ev.evaluate(decorator, &scope) {
        Value::Made(made) if &*made.path == "class-transformer.Exclude" => {
            !is_set(made.args.positional.first().and_then(|options| member(options, other_way)).as_ref())
        }
        _ => false,
    })
}
