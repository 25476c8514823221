//! Fields of serializers: what each class of field writes.

use super::super::Schemas;
use super::Owner;
use super::calls::{Call, call_of};
use super::tables::{self, table};
use super::{is_library_serializer, serializer_class};
use crate::evaluate::{ClassRef, Evaluator, FunctionRef, Value, last};
use crate::languages::Side;
use crate::languages::json_schema::{kind_of_values, literal_value};
use crate::languages::python::django::{is_field, is_serializer, lacks, model_of_query, setting};
use crate::model::program::Expr;
use crate::model::{Kind, Literal, Shape, ShapeId, Union};
use crate::text::Span;

/// A member of what a serializer writes.
pub(super) struct Member {
    pub(super) shape: ShapeId,
    /// Whether the framework's document requires it.
    pub(super) required: bool,
    pub(super) span: Option<Span>,
}

/// Whether a value in the body of a serializer is a field.
pub(super) fn is_field_value<'p>(evaluator: &mut Evaluator<'p>, value: &Value<'p>) -> bool {
    match value {
        Value::Made(made) => made.receiver.is_none() && (is_field(made.name()) || is_library_serializer(value)),
        Value::Instance(instance) => {
            let external = evaluator.external_bases(&instance.class);
            external.iter().any(|path| is_field(last(path)) || last(path).ends_with("Serializer"))
        }
        _ => false,
    }
}

impl Schemas {
    /// What a field writes under its name; `None` where it writes nothing.
    pub(super) fn member<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        owner: &Owner<'p>,
        name: &str,
        value: &Value<'p>,
    ) -> Option<Member> {
        let known = |name: &str| is_field(name) || name.ends_with("Serializer");
        let Some(call) = call_of(evaluator, value, known) else {
            let site = owner.class.as_ref().map(|class| class.name_span());
            let why = match value {
                Value::Unknown(why, _) => (*why).to_owned(),
                other => format!("{} stands where a field is expected", other.describe()),
            };
            return Some(Member { shape: self.unknown(why, site), required: false, span: site });
        };
        let is_read_only = call.is_true("read_only")
            || matches!(
                call.name.as_str(),
                "SerializerMethodField" | "ReadOnlyField" | "StringRelatedField" | "HyperlinkedIdentityField"
            );
        let is_left_out = match self.side {
            Side::Output => call.is_true("write_only"),
            Side::Input => is_read_only,
        };
        if is_left_out || call.name == "HiddenField" {
            return None;
        }
        let shape = self.field_shape(evaluator, owner, name, value, &call);
        let shape = self.or_null(shape, call.is_true("allow_null") || call.name == "NullBooleanField");
        let required = is_read_only
            || (call.named("default").is_none() && !matches!(call.named("required"), Some(Value::Bool(false))));
        Some(Member { shape, required, span: Some(call.site) })
    }

    /// The shape of what a field writes, null apart.
    fn field_shape<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        owner: &Owner<'p>,
        name: &str,
        value: &Value<'p>,
        call: &Call<'p>,
    ) -> ShapeId {
        let site = Some(call.site);
        if let Some(class) = serializer_class(evaluator, value) {
            let shape = self.serializer(evaluator, &class);
            return self.one_or_many_of(evaluator, &class, shape, call.args.named("many"));
        }
        if let Some(class) = &call.class {
            if let Some(shape) = self.declared_by_decorator(evaluator, class) {
                return shape;
            }
            if self.side == Side::Input {
                if evaluator.class_member(class, "to_internal_value").is_some() {
                    return self.unknown("what a field reads in a way of its own", Some(call.site));
                }
            } else if let Some(Value::Function(function)) = evaluator.class_member(class, "to_representation") {
                return self.declared_result(evaluator, &function, "what a field writes in a way of its own");
            }
        }
        let source = call.named("source");
        let source = source.as_ref().and_then(Value::as_str).unwrap_or(name).to_owned();
        let many = call.is_true("many");
        let shape = match call.name.as_str() {
            "SerializerMethodField" => return self.method_field(evaluator, owner, name, call),
            "ReadOnlyField" | "ModelField" => {
                if let Some(shape) = self.default_shape(evaluator, owner, call, &source) {
                    return shape;
                }
                return self.at_source(evaluator, owner.model.as_ref(), &source, call.site);
            }
            "PrimaryKeyRelatedField" => {
                if let Some(field) = call.named("pk_field") {
                    self.declared_shape(evaluator, &field, call.site)
                } else {
                    self.key_of_relation(evaluator, owner, call, &source)
                }
            }
            "SlugRelatedField" => {
                let slug = call.get(0, "slug_field");
                let model = Self::model_of_relation(evaluator, owner, call, &source);
                match (slug.as_ref().and_then(Value::as_str), model) {
                    (Some(slug), Some(model)) => {
                        self.at_source(evaluator, Some(&model), &slug.replace("__", "."), call.site)
                    }
                    _ => self.unknown("field of a relation is not known", site),
                }
            }
            "StringRelatedField" => self.text(None, site),
            "HyperlinkedRelatedField" | "HyperlinkedIdentityField" => self.uri(),
            "ManyRelatedField" => {
                let child = call.get(0, "child_relation");
                let items = match child {
                    Some(child) => self.declared_shape(evaluator, &child, call.site),
                    None => self.unknown("items of a relation are not known", site),
                };
                return self.array(items);
            }
            _ => return self.plain_field(evaluator, call),
        };
        if many { self.array(shape) } else { shape }
    }

    /// What a field writes where its model has nothing under the name that the field reads: the default, as
    /// `Field.get_attribute` says. `None` where the model may have it, or where the default is made by a call.
    fn default_shape<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        owner: &Owner<'p>,
        call: &Call<'p>,
        source: &str,
    ) -> Option<ShapeId> {
        let default = literal_value(&call.named("default")?).filter(|default| *default != Literal::Null)?;
        if source.contains('.') || !lacks(evaluator, owner.model.as_ref()?, source) {
            return None;
        }
        Some(self.table.add(Shape::new(kind_of_values(&[default])).at(Some(call.site))))
    }

    /// Fields that need nothing but themselves.
    pub(super) fn plain_field<'p>(&mut self, evaluator: &mut Evaluator<'p>, call: &Call<'p>) -> ShapeId {
        let site = Some(call.site);
        match call.name.as_str() {
            "BooleanField" | "NullBooleanField" => self.plain(Kind::Boolean),
            "CharField" | "RegexField" | "SlugField" | "FilePathField" | "IPAddressField" | "DurationField"
            | "PhoneNumberField" | "CurrencyField" => self.text(None, site),
            "EmailField" => self.text(Some("email"), site),
            "URLField" => self.text(Some("uri"), site),
            "UUIDField" => match call.named("format").as_ref().and_then(Value::as_str) {
                Some("int") => self.plain(Kind::Integer),
                Some("hex") => self.text(None, site),
                _ => self.text(Some("uuid"), site),
            },
            "IntegerField" => self.plain(Kind::Integer),
            "FloatField" => self.plain(Kind::Number),
            "DecimalField" => {
                let coerced = call.named("coerce_to_string");
                self.decimal(evaluator, coerced.as_ref())
            }
            "DateTimeField" if call.named("format").is_none() => self.text(Some("date-time"), site),
            "DateField" if call.named("format").is_none() => self.text(Some("date"), site),
            "TimeField" if call.named("format").is_none() => self.text(Some("time"), site),
            "DateTimeField" | "DateField" | "TimeField" => self.text(None, site),
            "ChoiceField" | "MultipleChoiceField" => {
                let choices = call.get(0, "choices");
                let shape = match choices.and_then(|choices| self.choices(evaluator, &choices, site)) {
                    Some(shape) => shape,
                    None => self.unknown("choices are not known", site),
                };
                if call.name == "MultipleChoiceField" { self.array(shape) } else { shape }
            }
            "FileField" | "ImageField" if self.side == Side::Input => self.text(Some("binary"), site),
            "FileField" | "ImageField" => self.uri(),
            "ListField" => {
                let items = self.child(evaluator, call);
                self.array(items)
            }
            "DictField" => {
                let values = self.child(evaluator, call);
                self.map(values)
            }
            "HStoreField" => {
                let values = self.text(None, site);
                self.map(values)
            }
            "JSONField" => self.plain(Kind::Any),
            "ReadOnlyField" => self.unknown("what is read is not known", site),
            name if name.ends_with("Serializer") => {
                let shape = match call.get(0, "child") {
                    Some(child) if name == "ListSerializer" => self.declared_shape(evaluator, &child, call.site),
                    _ => self.unknown(format!("`{name}` is not part of the scanned sources"), site),
                };
                if call.is_true("many") || name == "ListSerializer" { self.array(shape) } else { shape }
            }
            name => self.unknown(format!("what a `{name}` writes is not known"), site),
        }
    }

    fn child<'p>(&mut self, evaluator: &mut Evaluator<'p>, call: &Call<'p>) -> ShapeId {
        let own = match &call.class {
            Some(class) => evaluator.class_member(class, "child"),
            None => None,
        };
        match call.named("child").or(own) {
            Some(child) => self.declared_shape(evaluator, &child, call.site),
            None => self.plain(Kind::Any),
        }
    }

    pub(super) fn text(&mut self, format: Option<&str>, site: Option<Span>) -> ShapeId {
        let mut shape = Shape::new(Kind::String).at(site);
        shape.format = format.map(str::to_owned);
        self.table.add(shape)
    }

    /// Decimals are written as text, where nothing says otherwise.
    pub(super) fn decimal<'p>(&mut self, evaluator: &mut Evaluator<'p>, coerced: Option<&Value<'p>>) -> ShapeId {
        if self.side == Side::Input {
            let options = vec![self.plain(Kind::Number), self.text(Some("decimal"), None)];
            return self.plain(Kind::Union(Union { options, discriminator: None, exclusive: false }));
        }
        let setting = match setting(evaluator, "REST_FRAMEWORK") {
            Some(Value::Dict(settings)) => settings.borrow().get_str("COERCE_DECIMAL_TO_STRING").cloned(),
            _ => None,
        };
        match coerced.or(setting.as_ref()) {
            Some(Value::Bool(false)) => self.plain(Kind::Number),
            Some(Value::Bool(true)) | None => self.text(Some("decimal"), None),
            _ => self.unknown("whether a decimal is written as text is not known", None),
        }
    }

    fn method_field<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        owner: &Owner<'p>,
        name: &str,
        call: &Call<'p>,
    ) -> ShapeId {
        let method = match call.get(0, "method_name") {
            Some(Value::Str(method)) => method.to_string(),
            _ => format!("get_{name}"),
        };
        let function = match &owner.class {
            Some(class) => evaluator.class_member(class, &method),
            None => None,
        };
        match function {
            Some(Value::Function(function)) => {
                self.declared_result(evaluator, &function, "result of a method that declares none")
            }
            _ => self.unknown("method of a field is not known", Some(call.site)),
        }
    }

    /// What a method says that it returns: its decorators for the documentation, then its annotation.
    pub(super) fn declared_result<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        function: &FunctionRef<'p>,
        otherwise: &'static str,
    ) -> ShapeId {
        let decorators: &'p [Expr] = &function.node.decorators;
        for decorator in decorators {
            let Value::Made(made) = evaluator.evaluate(decorator, &function.scope) else { continue };
            let declared = match made.name() {
                "extend_schema_field" => made.args.get(0, "field"),
                "swagger_serializer_method" => made.args.get(0, "serializer_or_field"),
                _ => None,
            };
            if let Some(declared) = declared {
                return self.declared_shape(evaluator, &declared.clone(), made.site);
            }
        }
        match &function.node.returns {
            Some(returns) => {
                let declared = evaluator.type_expression(returns, &function.scope);
                self.shape_of(evaluator, &declared, Some(returns.span))
            }
            None => self.unknown(otherwise, Some(function.node.name_span)),
        }
    }

    /// `@extend_schema_field` on a class or on one that it comes from.
    pub(super) fn declared_by_decorator<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
    ) -> Option<ShapeId> {
        if let Some(shape) = self.by_extension(evaluator, class) {
            return Some(shape);
        }
        for ancestor in evaluator.ancestry(class).iter() {
            let Value::Class(ancestor) = ancestor else { continue };
            let decorators: &'p [Expr] = &ancestor.node.decorators;
            for decorator in decorators {
                if let Value::Made(made) = evaluator.evaluate(decorator, &ancestor.scope)
                    && made.name() == "extend_schema_field"
                    && let Some(declared) = made.args.get(0, "field")
                {
                    return Some(self.declared_shape(evaluator, &declared.clone(), made.site));
                }
            }
        }
        None
    }

    /// The model that a field for a relation leads to.
    fn model_of_relation<'p>(
        evaluator: &mut Evaluator<'p>,
        owner: &Owner<'p>,
        call: &Call<'p>,
        source: &str,
    ) -> Option<Value<'p>> {
        if let Some(model) = call.named("queryset").as_ref().and_then(model_of_query) {
            return Some(model);
        }
        let mut model = owner.model.clone()?;
        for part in source.split('.') {
            let table = table(evaluator, &model);
            let column = table.columns.get(part).filter(|column| column.is_relation())?;
            model = tables::related(evaluator, column)?;
        }
        Some(model)
    }

    fn key_of_relation<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        owner: &Owner<'p>,
        call: &Call<'p>,
        source: &str,
    ) -> ShapeId {
        match Self::model_of_relation(evaluator, owner, call, source) {
            Some(model) => self.key_shape(evaluator, &model, None, 0),
            None => self.unknown("model of a relation is not known", Some(call.site)),
        }
    }

    /// What lies at `a.b.c` of a model.
    pub(super) fn at_source<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        model: Option<&Value<'p>>,
        source: &str,
        site: Span,
    ) -> ShapeId {
        let Some(model) = model else { return self.unknown("what a field reads is not known", Some(site)) };
        let mut model = model.clone();
        let mut parts = source.split('.').peekable();
        while let Some(part) = parts.next() {
            let table = table(evaluator, &model);
            if parts.peek().is_none() {
                return match table.columns.get(part).filter(|column| column.is_many()) {
                    Some(_) => self.unknown("relation that is read as it is", Some(site)),
                    None => self.cell(evaluator, &model, &table, part, site).shape,
                };
            }
            let next = match table.columns.get(part) {
                Some(column) => tables::related(evaluator, column),
                None => None,
            };
            match next {
                Some(next) => model = next,
                None => break,
            }
        }
        self.unknown("what a field reads is not known", Some(site))
    }

    /// Whether a class is a serializer, for those who ask for types.
    pub(in super::super) fn serializer_type<'p>(
        &mut self,
        evaluator: &mut Evaluator<'p>,
        class: &ClassRef<'p>,
    ) -> Option<ShapeId> {
        is_serializer(evaluator, class).then(|| self.serializer(evaluator, class))
    }
}
