//! Models of Django as serializers see them: columns with the shapes that they are serialised to.
//! Follows the field mapping of `rest_framework.serializers.ModelSerializer` and `rest_framework.utils.field_mapping`.

use indexmap::IndexMap;

use super::super::Schemas;
use super::calls::{Call, call_of};
use crate::evaluate::{ClassRef, Evaluator, Role, Value, last};
use crate::languages::json_schema::{kind_of_values, literal_value};
use crate::languages::python::django::{is_field, model_named};
use crate::model::program::{ExprKind, StmtKind};
use crate::model::{Kind, Literal, Shape, ShapeId};
use crate::text::Span;

/// Relations that lead from one primary key to the next; a key that is further away is unknown.
const MAX_KEYS: u32 = 12;
/// Bases of other libraries that bring no columns.
const WITHOUT_COLUMNS: &[&str] = &[
    "Model",
    "object",
    "ABC",
    "Generic",
    "PreferencesModel",
    "ExportModelOperationsMixin",
    "Protocol",
    "DirtyFieldsMixin",
];
/// Names that end like a field and are no column.
const NO_COLUMNS: &[&str] = &["GenericForeignKey", "GenericRelation"];

/// A column with its definition, and the model in whose body it stands.
#[derive(Clone)]
pub(super) struct Column<'p> {
    pub(super) call: Call<'p>,
    pub(super) model: Option<ClassRef<'p>>,
}

/// The columns of a model.
pub(super) struct Table<'p> {
    pub(super) columns: IndexMap<String, Column<'p>>,
    /// Why there may be more.
    pub(super) open: Option<String>,
}

/// What a member of a model is serialised to.
pub(super) struct Cell {
    pub(super) shape: ShapeId,
    pub(super) required: bool,
    pub(super) read_only: bool,
}

impl Column<'_> {
    pub(super) fn is_relation(&self) -> bool {
        matches!(
            self.call.name.as_str(),
            "ForeignKey"
                | "OneToOneField"
                | "ManyToManyField"
                | "TreeForeignKey"
                | "TreeOneToOneField"
                | "ParentalKey"
                | "TreeManyToManyField"
                | "ParentalManyToManyField"
                | "SortedManyToManyField"
        )
    }

    pub(super) fn is_many(&self) -> bool {
        self.call.name.ends_with("ManyToManyField")
    }

    fn says(&self, name: &str, what: bool) -> bool {
        matches!(self.call.named(name), Some(Value::Bool(said)) if said == what)
    }
}

/// Reads the columns of a model and the models that it comes from.
pub(super) fn table<'p>(evaluator: &mut Evaluator<'p>, model: &Value<'p>) -> Table<'p> {
    let mut table = Table { columns: IndexMap::new(), open: None };
    match model {
        Value::Class(class) => {
            for ancestor in evaluator.ancestry(class).iter().rev() {
                match ancestor {
                    Value::Class(ancestor) => own_columns(evaluator, ancestor, &mut table),
                    Value::External(path) => library_columns(path, &mut table),
                    _ => table.open = Some(format!("a base class of `{}` is not known", class.name())),
                }
            }
        }
        Value::External(path) => library_columns(path, &mut table),
        other => table.open = Some(format!("{} stands where a model is expected", other.describe())),
    }
    table
}

fn own_columns<'p>(evaluator: &mut Evaluator<'p>, class: &ClassRef<'p>, table: &mut Table<'p>) {
    for statement in evaluator.class_statements(class) {
        let (target, written) = match &statement.kind {
            StmtKind::Assign { targets, value } => (targets.first(), value),
            StmtKind::Annotated { target, value: Some(value), .. } => (Some(target), value),
            _ => continue,
        };
        let Some(ExprKind::Name(name)) = target.map(|target| &target.kind) else { continue };
        let Some(mut value) = evaluator.own_member(class, name) else { continue };
        // What an instance was given while code ran is no column.
        if matches!(written.kind, ExprKind::Call { .. }) && !matches!(value, Value::Made(_) | Value::Instance(_)) {
            let scope = evaluator.body_scope(class);
            value = evaluator.evaluate(written, &scope);
        }
        if matches!(value, Value::None) {
            table.columns.shift_remove(name);
            continue;
        }
        let known = |name: &str| is_field(name) && !NO_COLUMNS.contains(&name);
        if let Some(call) = call_of(evaluator, &value, known) {
            table.columns.insert(name.clone(), Column { call, model: Some(class.clone()) });
        }
    }
}

/// Columns of models of well-known libraries: name, kind of field, and what is said of it.
fn library_columns(path: &str, table: &mut Table<'_>) {
    const USER: &[(&str, &str, &[&str])] = &[
        ("username", "CharField", &["unique"]),
        ("first_name", "CharField", &["blank"]),
        ("last_name", "CharField", &["blank"]),
        ("email", "EmailField", &["blank"]),
        ("is_staff", "BooleanField", &["default"]),
        ("is_active", "BooleanField", &["default"]),
        ("date_joined", "DateTimeField", &["default"]),
    ];
    const PASSWORD: &[(&str, &str, &[&str])] =
        &[("password", "CharField", &[]), ("last_login", "DateTimeField", &["null", "blank"])];
    const PERMISSIONS: &[(&str, &str, &[&str])] = &[
        ("is_superuser", "BooleanField", &["default"]),
        ("groups", "ManyToManyField", &["blank"]),
        ("user_permissions", "ManyToManyField", &["blank"]),
    ];
    const GROUP: &[(&str, &str, &[&str])] =
        &[("name", "CharField", &[]), ("permissions", "ManyToManyField", &["blank"])];
    const PERMISSION: &[(&str, &str, &[&str])] =
        &[("name", "CharField", &[]), ("content_type", "ForeignKey", &[]), ("codename", "CharField", &[])];
    const TIMES: &[(&str, &str, &[&str])] =
        &[("created", "DateTimeField", &["hidden"]), ("modified", "DateTimeField", &["hidden"])];
    const CONTENT_TYPE: &[(&str, &str, &[&str])] = &[("app_label", "CharField", &[]), ("model", "CharField", &[])];
    const TREE: &[(&str, &str, &[&str])] = &[
        ("lft", "PositiveIntegerField", &["hidden"]),
        ("rght", "PositiveIntegerField", &["hidden"]),
        ("tree_id", "PositiveIntegerField", &["hidden"]),
        ("level", "PositiveIntegerField", &["hidden"]),
    ];
    let parts: &[&[(&str, &str, &[&str])]] = match last(path) {
        "User" | "AbstractUser" if path.starts_with("django.contrib.auth") => &[PASSWORD, PERMISSIONS, USER],
        "AbstractBaseUser" => &[PASSWORD],
        "PermissionsMixin" => &[PERMISSIONS],
        "Group" if path.starts_with("django.contrib.auth") => &[GROUP],
        "Permission" if path.starts_with("django.contrib.auth") => &[PERMISSION],
        "ContentType" if path.starts_with("django.contrib.contenttypes") => &[CONTENT_TYPE],
        "TimeStampedModel" if path.starts_with("model_utils") || path.starts_with("django_extensions") => &[TIMES],
        "MPTTModel" => &[TREE],
        name if WITHOUT_COLUMNS.contains(&name) => &[],
        // What stands beside a model: classes of the standard library bring no columns.
        _ if !path.contains("django") && path.starts_with("builtins.") => &[],
        _ => {
            table.open = Some(format!("base class `{path}` of a model is not part of the scanned sources"));
            &[]
        }
    };
    for (name, kind, said) in parts.iter().copied().flatten() {
        let mut call = Call::of_library(&format!("django.db.models.{kind}"));
        for word in *said {
            match *word {
                "hidden" => call.args.set("editable", Value::Bool(false)),
                "default" => call.args.set("default", Value::Ellipsis),
                word => call.args.set(word, Value::Bool(true)),
            }
        }
        if *name == "content_type" {
            call.args.set("to", Value::external("django.contrib.contenttypes.models.ContentType"));
        }
        if matches!(*name, "groups") {
            call.args.set("to", Value::external("django.contrib.auth.models.Group"));
        }
        if matches!(*name, "user_permissions" | "permissions") {
            call.args.set("to", Value::external("django.contrib.auth.models.Permission"));
        }
        table.columns.insert((*name).to_owned(), Column { call, model: None });
    }
}

/// The name of the primary key.
pub(super) fn key_name(table: &Table) -> String {
    let key = table.columns.iter().find(|(_, column)| column.says("primary_key", true));
    key.map_or_else(|| "id".to_owned(), |(name, _)| name.clone())
}

/// The model that a relation leads to.
pub(super) fn related<'p>(evaluator: &mut Evaluator<'p>, column: &Column<'p>) -> Option<Value<'p>> {
    let to = column.call.get(0, "to")?;
    match &to {
        Value::Class(_) | Value::External(_) => Some(to),
        Value::Str(label) => model_named(evaluator, label, column.model.as_ref()),
        _ => None,
    }
}

impl Schemas {
    /// What a member of a model is serialised to where a serializer declares nothing for it.
    pub(super) fn cell<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        model: &Value<'p>,
        table: &Table<'p>,
        name: &str,
        site: Span,
    ) -> Cell {
        let key = key_name(table);
        let name = if name == "pk" { key.as_str() } else { name };
        if let Some(column) = table.columns.get(name) {
            let column = column.clone();
            let read_only = column.says("editable", false)
                || column.says("auto_now", true)
                || column.says("auto_now_add", true)
                // Rows of a table of its own say more than keys do.
                || (column.is_many() && column.call.named("through").is_some())
                || column.call.name.ends_with("AutoField");
            let optional =
                column.says("blank", true) || column.says("null", true) || column.call.named("default").is_some();
            let shape = self.column_shape(evaluator, &column, 0);
            let shape = self.or_null(shape, column.says("null", true) && !column.is_many());
            return Cell { shape, required: !optional || read_only, read_only };
        }
        if name == key && table.open.is_none() {
            return Cell { shape: self.plain(Kind::Integer), required: true, read_only: true };
        }
        let shape = self.attribute(evaluator, model, table, name, site);
        Cell { shape, required: true, read_only: true }
    }

    /// The shape of the value of a column, null apart.
    pub(super) fn column_shape<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        column: &Column<'p>,
        depth: u32,
    ) -> ShapeId {
        let site = Some(column.call.site);
        if column.is_relation() {
            let key = match related(evaluator, column) {
                Some(model) if depth < MAX_KEYS => {
                    let field = column.call.named("to_field");
                    self.key_shape(evaluator, &model, field.as_ref().and_then(Value::as_str), depth + 1)
                }
                _ => self.unknown("model of a relation is not known", site),
            };
            return if column.is_many() { self.array(key) } else { key };
        }
        if let Some(choices) = column.call.named("choices")
            && !matches!(choices, Value::None)
            && let Some(shape) = self.choices(evaluator, &choices, site)
        {
            return shape;
        }
        let name = column.call.name.as_str();
        let text = |schemas: &mut Self, format: Option<&str>| {
            let mut shape = Shape::new(Kind::String).at(site);
            shape.format = format.map(str::to_owned);
            schemas.table.add(shape)
        };
        match name {
            "AutoField"
            | "BigAutoField"
            | "SmallAutoField"
            | "IntegerField"
            | "BigIntegerField"
            | "SmallIntegerField"
            | "PositiveIntegerField"
            | "PositiveBigIntegerField"
            | "PositiveSmallIntegerField" => self.plain(Kind::Integer),
            "FloatField" => self.plain(Kind::Number),
            "BooleanField" | "NullBooleanField" => self.plain(Kind::Boolean),
            "CharField"
            | "TextField"
            | "SlugField"
            | "FilePathField"
            | "CITextField"
            | "CICharField"
            | "AutoSlugField"
            | "GenericIPAddressField"
            | "IPAddressField" => text(self, None),
            "EmailField" | "CIEmailField" => text(self, Some("email")),
            "URLField" => text(self, Some("uri")),
            "UUIDField" => text(self, Some("uuid")),
            "DateTimeField"
            | "AutoCreatedField"
            | "AutoLastModifiedField"
            | "CreationDateTimeField"
            | "ModificationDateTimeField"
            | "MonitorField" => text(self, Some("date-time")),
            "DateField" => text(self, Some("date")),
            "TimeField" => text(self, Some("time")),
            "DurationField" => text(self, None),
            "DecimalField" => self.decimal(evaluator, None),
            "FileField" | "ImageField" => text(self, Some("uri")),
            "JSONField" => self.plain(Kind::Any),
            "ArrayField" => {
                let base = column.call.get(0, "base_field");
                let items = match base.and_then(|base| call_of(evaluator, &base, is_field)) {
                    Some(call) if depth < MAX_KEYS => {
                        let inner = Column { call, model: column.model.clone() };
                        let shape = self.column_shape(evaluator, &inner, depth + 1);
                        self.or_null(shape, inner.says("null", true))
                    }
                    _ => self.unknown("items of an array are not known", site),
                };
                self.array(items)
            }
            "HStoreField" => {
                let values = text(self, None);
                let values = self.or_null(values, true);
                self.map(values)
            }
            _ => self.unknown(format!("what a `{name}` is serialised to is not known"), site),
        }
    }

    /// The shape of a primary key, or of the field that a relation names.
    pub(super) fn key_shape<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        model: &Value<'p>,
        field: Option<&str>,
        depth: u32,
    ) -> ShapeId {
        let table = table(evaluator, model);
        let key = field.map_or_else(|| key_name(&table), str::to_owned);
        if let Some(column) = table.columns.get(&key) {
            return self.column_shape(evaluator, column, depth);
        }
        match table.open {
            Some(why) => self.unknown(why, None),
            None if key == "id" => self.plain(Kind::Integer),
            None => self.unknown("field of a relation is not known", None),
        }
    }

    /// What a model's own code answers for a name: a property, a method, the key of a relation.
    pub(super) fn attribute<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        model: &Value<'p>,
        table: &Table<'p>,
        name: &str,
        site: Span,
    ) -> ShapeId {
        if let Some(column) = name.strip_suffix("_id").and_then(|name| table.columns.get(name))
            && column.is_relation()
            && !column.is_many()
        {
            let shape = self.column_shape(evaluator, column, 0);
            return self.or_null(shape, column.says("null", true));
        }
        if let Some(column) = name.strip_prefix("get_").and_then(|name| name.strip_suffix("_display"))
            && table.columns.contains_key(column)
        {
            return self.plain(Kind::String);
        }
        if let Value::Class(class) = model
            && let Some(Value::Function(function)) = evaluator.class_member(class, name)
            && matches!(function.role, Role::Property | Role::Plain)
            && let Some(returns) = &function.node.returns
        {
            let declared = evaluator.type_expression(returns, &function.scope);
            return self.shape_of(evaluator, &declared, Some(returns.span));
        }
        self.unknown(format!("what `{name}` of a model is is not declared"), Some(site))
    }

    /// One of several values: pairs of value and label, groups of them, an enumeration, plain values.
    pub(super) fn choices<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        choices: &Value<'p>,
        site: Option<Span>,
    ) -> Option<ShapeId> {
        let mut values: Vec<Literal> = Vec::new();
        let mut nullable = false;
        let given: Vec<Value<'p>> = match choices {
            Value::Class(class) if evaluator.is_enum(class) => {
                evaluator.enum_members(class).iter().map(|member| member.value.clone()).collect()
            }
            Value::Dict(dict) if dict.borrow().is_whole() => {
                dict.borrow().entries.iter().map(|(key, _)| key.clone()).collect()
            }
            other => other.elements()?,
        };
        for choice in given {
            let pairs: Vec<Value<'p>> = match choice.elements().as_deref() {
                // A group: its name, and the choices in it.
                Some([_, group @ (Value::List(_) | Value::Tuple(_))]) => group.elements().unwrap_or_default(),
                _ => vec![choice],
            };
            for pair in pairs {
                let value = match pair.elements().as_deref() {
                    Some([value, ..]) => value.clone(),
                    Some([]) => return None,
                    None => pair,
                };
                match literal_value(&value)? {
                    Literal::Null => nullable = true,
                    value if values.contains(&value) => {}
                    value => values.push(value),
                }
            }
        }
        if values.is_empty() {
            return None;
        }
        let kind = kind_of_values(&values);
        Some(self.table.add(Shape::new(kind).with_values(values).nullable(nullable).at(site)))
    }
}
