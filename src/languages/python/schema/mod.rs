//! From a Python type to the shape of what is serialised: built-in and typing forms, then classes (`models.rs`).
//! Follows pydantic's JSON Schema in serialisation mode (docs: "JSON Schema", `mode='serialization'`).

mod before;
mod body;
mod calls;
mod collected;
mod declared;
mod dump;
mod fields;
mod generics;
mod locals;
mod marshmallow;
mod models;
mod naming;
mod receivers;
pub mod rest;
mod settings;
mod sorts;
mod structs;
mod taken;
mod unchanged;
mod version;
mod written;

use rustc_hash::FxHashMap;

use crate::evaluate::{Evaluator, ModuleId, Value, World, last};
use crate::languages::Side;
use crate::languages::json_schema::{self, kind_of_values, literal_value};
use crate::model::{Additional, Kind, Literal, Object, Shape, ShapeId, ShapeTable, Union};
use crate::text::Span;

pub use body::{Body, called_name, is_plain, known_arguments};
pub(super) use collected::constructor_of;
pub use dump::{Dump, Selection};
pub use fields::takes_none;
pub use marshmallow::is_marshmallow;
pub use taken::{Taken, is_model, taken_as};
pub use version::is_version_one;

const STRINGS: &[(&str, Option<&str>)] = &[
    ("datetime", Some("date-time")),
    ("AwareDatetime", Some("date-time")),
    ("NaiveDatetime", Some("date-time")),
    ("PastDatetime", Some("date-time")),
    ("FutureDatetime", Some("date-time")),
    ("DateTime", Some("date-time")),
    ("date", Some("date")),
    ("PastDate", Some("date")),
    ("FutureDate", Some("date")),
    ("time", Some("time")),
    ("timedelta", Some("duration")),
    ("UUID", Some("uuid")),
    ("UUID1", Some("uuid")),
    ("UUID3", Some("uuid")),
    ("UUID4", Some("uuid")),
    ("UUID5", Some("uuid")),
    ("UUID6", Some("uuid")),
    ("UUID7", Some("uuid")),
    ("UUID8", Some("uuid")),
    ("EmailStr", Some("email")),
    ("NameEmail", Some("name-email")),
    ("AnyUrl", Some("uri")),
    ("AnyHttpUrl", Some("uri")),
    ("HttpUrl", Some("uri")),
    ("Url", Some("uri")),
    ("FileUrl", Some("uri")),
    ("FtpUrl", Some("uri")),
    ("AnyWebsocketUrl", Some("uri")),
    ("WebsocketUrl", Some("uri")),
    ("PostgresDsn", Some("uri")),
    ("RedisDsn", Some("uri")),
    ("MongoDsn", Some("uri")),
    ("AmqpDsn", Some("uri")),
    ("KafkaDsn", Some("uri")),
    ("MySQLDsn", Some("uri")),
    ("SecretStr", Some("password")),
    ("SecretBytes", Some("password")),
    ("Path", Some("path")),
    ("FilePath", Some("file-path")),
    ("DirectoryPath", Some("directory-path")),
    ("NewPath", Some("path")),
    ("PurePath", Some("path")),
    ("PosixPath", Some("path")),
    ("Decimal", None),
    ("bytes", Some("binary")),
    ("str", None),
    ("StrictStr", None),
    ("LiteralString", None),
    ("Text", None),
    ("AnyStr", None),
    ("IPv4Address", Some("ipv4")),
    ("IPv6Address", Some("ipv6")),
    ("IPvAnyAddress", Some("ipvanyaddress")),
    ("IPvAnyNetwork", None),
    ("IPv4Network", None),
    ("IPv6Network", None),
    ("Pattern", Some("regex")),
    ("Base64Str", None),
    ("Base64Bytes", None),
    ("ZoneInfo", None),
    ("Timezone", None),
    ("Color", Some("color")),
    ("ULID", None),
    ("ObjectId", None),
    ("StringConstraints", None),
    ("UploadFile", Some("binary")),
];
const INTEGERS: &[&str] =
    &["int", "StrictInt", "PositiveInt", "NegativeInt", "NonNegativeInt", "NonPositiveInt", "ByteSize", "conint"];
const NUMBERS: &[&str] = &[
    "float",
    "StrictFloat",
    "PositiveFloat",
    "NegativeFloat",
    "NonNegativeFloat",
    "NonPositiveFloat",
    "FiniteFloat",
    "confloat",
];
const LISTS: &[&str] = &[
    "List",
    "list",
    "Sequence",
    "MutableSequence",
    "Set",
    "set",
    "FrozenSet",
    "frozenset",
    "AbstractSet",
    "MutableSet",
    "Iterable",
    "Collection",
    "Deque",
    "deque",
    "Iterator",
    "Generator",
    "AsyncIterator",
    "AsyncIterable",
    "AsyncGenerator",
    "KeysView",
    "ValuesView",
    "conlist",
    "conset",
];
const DICTS: &[&str] = &[
    "Dict",
    "dict",
    "Mapping",
    "MutableMapping",
    "DefaultDict",
    "defaultdict",
    "OrderedDict",
    "Counter",
    "frozendict",
];
/// Wrappers whose value is what they wrap.
const TRANSPARENT: &[&str] = &[
    "Required",
    "NotRequired",
    "Final",
    "ReadOnly",
    "ClassVar",
    "SerializeAsAny",
    "SkipValidation",
    "SkipJsonSchema",
    "Secret",
    "Awaitable",
    "Coroutine",
    "OnErrorOmit",
    "Mapped",
    "InitVar",
];
/// Deeper types are given up as unknown.
const MAX_DEPTH: u32 = 80;

/// Shapes of one service; a program that declares more is built to.
const MAX_SHAPES: usize = 400_000;

/// Worlds in which the shape of one type is kept; in others it is worked out each time.
const MAX_WORLDS: usize = 8;

/// Shapes of one service, declared once for each type.
#[derive(Default)]
pub struct Schemas {
    pub table: ShapeTable,
    known: FxHashMap<String, ShapeId>,
    /// Which side of types is wanted: what is sent, or what is taken.
    side: Side,
    /// What `known` is for the other side.
    known_otherwise: FxHashMap<String, ShapeId>,
    /// Shapes of types that hang on decisions, by their keys and the side: the shape in each world.
    known_within: FxHashMap<(bool, String), Vec<(World, ShapeId)>>,
    /// Shapes as they are serialised with options.
    dumps: FxHashMap<(ShapeId, Dump), ShapeId>,
    depth: u32,
    /// Written for pydantic 1.
    version_one: bool,
    /// Stands for everything once there are too many shapes.
    exhausted: Option<ShapeId>,
    /// How often each generic class is being declared right now, with one argument within the other.
    nested: FxHashMap<Span, u32>,
    /// Shapes with their names in camel case.
    camelized: FxHashMap<ShapeId, ShapeId>,
    /// Durations as numbers: the model's `ser_json_timedelta='float'`.
    float_durations: bool,
    /// What values stand for that a library made (by the start of their path), while a function is read with them.
    pub standing: Vec<(&'static str, ShapeId)>,
    /// What functions do to data of the program, by module.
    changes: FxHashMap<ModuleId, unchanged::Changes>,
}

impl Schemas {
    /// Schemas of a program for which [`is_version_one`] said so.
    pub fn new(version_one: bool) -> Self {
        Schemas { version_one, ..Schemas::default() }
    }

    /// The shape of a type. Never fails: what is not understood is `Unknown` with its reason.
    pub fn shape_of<'p>(&mut self, evaluator: &mut Evaluator<'p>, value: &Value<'p>, site: Option<Span>) -> ShapeId {
        if self.depth > MAX_DEPTH {
            return self.unknown("type nested too deep", site);
        }
        if self.table.len() > MAX_SHAPES {
            return match self.exhausted {
                Some(id) => id,
                None => {
                    *self.exhausted.insert(self.table.add(Shape::unknown("more types than one service may have", site)))
                }
            };
        }
        self.depth += 1;
        let id = self.shape_at(evaluator, value, site);
        self.depth -= 1;
        id
    }

    /// The shape of what is taken where a type is declared: what it says of reading counts, and what has a default may
    /// be left out.
    pub fn taken_shape<'p>(&mut self, evaluator: &mut Evaluator<'p>, value: &Value<'p>, site: Option<Span>) -> ShapeId {
        self.taking(|schemas| schemas.shape_of(evaluator, value, site))
    }

    fn taking<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.side == Side::Input {
            return read(self);
        }
        self.side = Side::Input;
        std::mem::swap(&mut self.known, &mut self.known_otherwise);
        let found = read(self);
        std::mem::swap(&mut self.known, &mut self.known_otherwise);
        self.side = Side::Output;
        found
    }

    /// The shape that a type was found to have, here or where decisions fell the same way.
    fn known_shape(&mut self, evaluator: &mut Evaluator<'_>, key: &str) -> Option<ShapeId> {
        if let Some(id) = self.known.get(key) {
            return Some(*id);
        }
        let worlds = self.known_within.get(&(self.side == Side::Input, key.to_owned()))?;
        worlds.iter().find(|(world, _)| evaluator.is_in(world)).map(|(_, id)| *id)
    }

    /// Declares the shape of a type, which may contain itself: what hung on a decision is another shape in another world.
    fn declare_in_world<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        (key, id): (String, ShapeId),
        declare: impl FnOnce(&mut Self, &mut Evaluator<'p>) -> Shape,
    ) -> Shape {
        let touched = evaluator.touched();
        self.known.insert(key.clone(), id);
        let (shape, world) = evaluator.in_world(|evaluator| declare(self, evaluator));
        if evaluator.touched() != touched {
            self.known.remove(&key);
            let worlds = self.known_within.entry((self.side == Side::Input, key)).or_default();
            if worlds.len() < MAX_WORLDS {
                worlds.push((world, id));
            }
        }
        shape
    }

    pub fn unknown(&mut self, why: impl Into<String>, site: Option<Span>) -> ShapeId {
        self.table.add(Shape::unknown(why, site))
    }

    /// What may be sent in other forms than its own.
    fn or_unknown(&mut self, own: ShapeId, why: &str, site: Option<Span>) -> ShapeId {
        let other = self.unknown(why, site);
        self.plain(Kind::Union(Union { options: vec![own, other], discriminator: None, exclusive: false }))
    }

    fn plain(&mut self, kind: Kind) -> ShapeId {
        self.table.add(Shape::new(kind))
    }

    fn array(&mut self, items: ShapeId) -> ShapeId {
        self.plain(Kind::Array { prefix: Vec::new(), items: Some(items) })
    }

    fn map(&mut self, values: ShapeId) -> ShapeId {
        self.plain(Kind::Object(Object { fields: Vec::new(), additional: Additional::Of(values) }))
    }

    fn shape_at<'p>(&mut self, evaluator: &mut Evaluator<'p>, value: &Value<'p>, site: Option<Span>) -> ShapeId {
        if evaluator.is_exhausted() {
            return self.unknown("evaluation budget of the file used up", site);
        }
        match value {
            Value::Unknown(why, place) => self.unknown(*why, place.or(site)),
            Value::None => self.plain(Kind::Null),
            Value::Ellipsis => self.plain(Kind::Any),
            Value::Union(options) => self.union(evaluator, options, site),
            Value::TypeVar(variable) => match variable.default.as_ref().or(variable.bound.as_ref()) {
                Some(known) if !known.is_unknown() => self.shape_of(evaluator, known, site),
                _ => self.plain(Kind::Any),
            },
            Value::External(path) => self.external(path, site),
            Value::Class(class) => self.class(evaluator, class, &[], site),
            Value::Dynamic(class) => self.dynamic(evaluator, class),
            Value::Applied(base, args) => self.applied(evaluator, base, args, site),
            // `Optional["X"]` outside of an annotation, or a type given as text.
            Value::Str(text) => self.unknown(format!("type given as the string {text:?}"), site),
            other => self.unknown(format!("{} stands where a type is expected", other.describe()), site),
        }
    }

    fn union<'p>(&mut self, evaluator: &mut Evaluator<'p>, options: &[Value<'p>], site: Option<Span>) -> ShapeId {
        let mut nullable = false;
        let mut shapes: Vec<ShapeId> = Vec::new();
        for option in flat_options(options) {
            if is_undocumented(&option) {
                continue;
            }
            if matches!(option, Value::None) || is_none_type(&option) {
                nullable = true;
                continue;
            }
            let id = self.shape_of(evaluator, &option, site);
            if !shapes.iter().any(|known| self.table.same(*known, id)) {
                shapes.push(id);
            }
        }
        match (shapes.as_slice(), nullable) {
            ([], _) => self.plain(Kind::Null),
            ([only], false) => *only,
            ([only], true) => {
                let shape = self.table.get(*only);
                let nullable = match &shape.kind {
                    Kind::Object(_) | Kind::Ref(_) | Kind::Union(_) | Kind::Unknown(_) => Shape::new(Kind::Ref(*only)),
                    _ => shape.clone(),
                };
                self.table.add(nullable.nullable(true))
            }
            _ => self.table.add(
                Shape::new(Kind::Union(Union { options: shapes, discriminator: None, exclusive: false }))
                    .nullable(nullable),
            ),
        }
    }

    fn external(&mut self, path: &str, site: Option<Span>) -> ShapeId {
        let name = last(path);
        if INTEGERS.contains(&name) {
            return self.plain(Kind::Integer);
        }
        let as_number = match name {
            "timedelta" => self.float_durations || self.version_one,
            "Decimal" => self.version_one,
            _ => NUMBERS.contains(&name),
        };
        if matches!(name, "Decimal" | "timedelta") && self.side == Side::Input && !self.version_one {
            let mut text = Shape::new(Kind::String);
            text.format = (name == "timedelta").then(|| "duration".to_owned());
            let options = vec![self.plain(Kind::Number), self.table.add(text)];
            return self.plain(Kind::Union(Union { options, discriminator: None, exclusive: false }));
        }
        if as_number {
            return self.plain(Kind::Number);
        }
        if name == "bool" || name == "StrictBool" {
            return self.plain(Kind::Boolean);
        }
        if let Some((_, format)) = STRINGS.iter().find(|(known, _)| *known == name) {
            let mut shape = Shape::new(Kind::String);
            shape.format = format.map(str::to_owned);
            return self.table.add(shape);
        }
        if LISTS.contains(&name) || matches!(name, "tuple" | "Tuple") {
            let items = self.plain(Kind::Any);
            return self.array(items);
        }
        if DICTS.contains(&name) {
            let values = self.plain(Kind::Any);
            return self.map(values);
        }
        match name {
            "None" | "NoneType" => self.plain(Kind::Null),
            "Any" | "object" | "Json" | "JsonValue" | "type" | "Type" | "Callable" | "Response" | "JSONResponse" => {
                self.plain(Kind::Any)
            }
            _ => self.unknown(format!("`{path}` is not part of the scanned sources"), site),
        }
    }

    fn applied<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        base: &Value<'p>,
        args: &[Value<'p>],
        site: Option<Span>,
    ) -> ShapeId {
        let path = match base {
            Value::External(path) => path.clone(),
            Value::Class(class) => return self.class(evaluator, class, args, site),
            Value::Union(_) | Value::Applied(..) => {
                // A generic alias: its variables in order of appearance.
                let mut variables = Vec::new();
                generics::type_variables(base, &mut variables);
                let substitution = variables.into_iter().zip(args.iter().cloned()).collect();
                let whole = generics::substitute(base, &substitution);
                return self.shape_of(evaluator, &whole, site);
            }
            Value::Unknown(why, place) => return self.unknown(*why, place.or(site)),
            other => return self.unknown(format!("{}[…] as a type", other.describe()), site),
        };
        let name = last(&path);
        let first = args.first().cloned().unwrap_or(Value::Ellipsis);
        match name {
            "Optional" => self.union(evaluator, &[first, Value::None], site),
            "Union" => self.union(evaluator, args, site),
            "Annotated" => self.annotated(evaluator, args, site),
            "Literal" => self.literal(args),
            "InstanceOf" | "Type" | "type" | "Callable" => self.plain(Kind::Any),
            "tuple" | "Tuple" => {
                if let [only, Value::Ellipsis] = args {
                    let items = self.shape_of(evaluator, only, site);
                    return self.array(items);
                }
                let prefix = args.iter().map(|arg| self.shape_of(evaluator, arg, site)).collect();
                self.plain(Kind::Array { prefix, items: None })
            }
            _ if TRANSPARENT.contains(&name) || name == "Json" => {
                let inner = args.last().cloned().unwrap_or(Value::Ellipsis);
                self.shape_of(evaluator, &inner, site)
            }
            _ if LISTS.contains(&name) => {
                let items = self.shape_of(evaluator, &first, site);
                self.array(items)
            }
            _ if DICTS.contains(&name) => {
                let values = match args.get(1) {
                    Some(value) => self.shape_of(evaluator, value, site),
                    None => self.plain(Kind::Any),
                };
                self.map(values)
            }
            // fastapi-pagination's documented pages.
            "Page" | "LimitOffsetPage" if path.starts_with("fastapi_pagination") => {
                let item = self.shape_of(evaluator, &first, site);
                self.page(item, name == "LimitOffsetPage")
            }
            _ => self.unknown(format!("generic `{path}` is not part of the scanned sources"), site),
        }
    }

    fn page(&mut self, item: ShapeId, by_offset: bool) -> ShapeId {
        let items = self.array(item);
        let number = self.plain(Kind::Integer);
        let names: &[&str] =
            if by_offset { &["total", "limit", "offset"] } else { &["total", "page", "size", "pages"] };
        let mut fields = vec![models::field("items", items, true)];
        fields.extend(names.iter().map(|name| models::field(name, number, true)));
        self.plain(Kind::Object(Object { fields, additional: Additional::Open }))
    }

    fn literal(&mut self, args: &[Value<'_>]) -> ShapeId {
        let mut values = Vec::new();
        let mut nullable = false;
        for arg in args {
            match literal_value(arg) {
                Some(Literal::Null) => nullable = true,
                Some(value) => values.push(value),
                None => return self.unknown("value of a `Literal` is not known", None),
            }
        }
        let kind = kind_of_values(&values);
        self.table.add(Shape::new(kind).with_values(values).nullable(nullable))
    }

    /// `Annotated[T, …]`: metadata that changes what is serialised.
    fn annotated<'p>(&mut self, evaluator: &mut Evaluator<'p>, args: &[Value<'p>], site: Option<Span>) -> ShapeId {
        let Some((first, metadata)) = args.split_first() else { return self.plain(Kind::Any) };
        let mut id = None;
        for item in metadata {
            let Value::Made(made) = item else { continue };
            match made.name() {
                "WithJsonSchema" => {
                    let mode = match self.side {
                        Side::Output => "serialization",
                        Side::Input => "validation",
                    };
                    let counts = made.args.named("mode").and_then(Value::as_str).is_none_or(|given| given == mode);
                    if let (true, Some(schema)) = (counts, made.args.get(0, "json_schema")) {
                        id = Some(json_schema::shape_of_schema(&mut self.table, schema, Some(made.site)));
                    }
                }
                "BeforeValidator" | "PlainValidator" | "WrapValidator" if self.side == Side::Input => {
                    id = Some(if let Some(taken) = made.args.named("json_schema_input_type") {
                        self.shape_of(evaluator, &taken.clone(), site)
                    } else {
                        let own = id.unwrap_or_else(|| self.shape_of(evaluator, first, site));
                        self.or_unknown(own, before::READ_FIRST, Some(made.site))
                    });
                }
                "PlainSerializer" | "WrapSerializer" if self.side == Side::Output => {
                    let declared = match made.args.named("return_type") {
                        Some(declared) => Some(declared.clone()),
                        None => match made.args.get(0, "func") {
                            Some(Value::Function(function) | Value::Bound(_, function)) => function
                                .node
                                .returns
                                .as_ref()
                                .map(|returns| evaluator.type_expression(returns, &function.scope)),
                            Some(builtin @ Value::External(path)) if path.starts_with("builtins.") => {
                                Some(builtin.clone())
                            }
                            _ => None,
                        },
                    };
                    match declared {
                        Some(declared) if !declared.is_unknown() => {
                            id = Some(self.shape_of(evaluator, &declared, site));
                        }
                        // A lambda of unknown result: pydantic states the type that it replaces only for wrappers.
                        _ if made.name() == "PlainSerializer" && id.is_none() => {
                            id = Some(self.shape_of(evaluator, first, site));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        id.unwrap_or_else(|| self.shape_of(evaluator, first, site))
    }
}

/// The options of a union with nested unions and `Optional`s opened.
fn flat_options<'p>(options: &[Value<'p>]) -> Vec<Value<'p>> {
    let mut flat = Vec::new();
    for option in options {
        match option {
            Value::Union(inner) => flat.extend(flat_options(inner)),
            Value::Applied(base, args) => match base.as_external().map(last) {
                Some("Union") => flat.extend(flat_options(args)),
                Some("Optional") => {
                    flat.extend(flat_options(args));
                    flat.push(Value::None);
                }
                _ => flat.push(option.clone()),
            },
            other => flat.push(other.clone()),
        }
    }
    flat
}

/// `SkipJsonSchema[T]`, as itself or among the metadata of `Annotated`: sent, and left out of the document on purpose.
fn is_undocumented(value: &Value) -> bool {
    let Value::Applied(base, args) = value else { return false };
    match base.as_external().map(last) {
        Some("SkipJsonSchema") => true,
        Some("Annotated") => {
            let mark = |item: &Value| match item {
                Value::Made(made) => made.name() == "SkipJsonSchema",
                Value::External(path) => last(path) == "SkipJsonSchema",
                _ => false,
            };
            args.first().is_some_and(is_undocumented) || args.iter().skip(1).any(mark)
        }
        _ => false,
    }
}

fn is_none_type(value: &Value) -> bool {
    value.as_external().is_some_and(|path| matches!(last(path), "None" | "NoneType"))
}
