//! What calls give: methods of arrays, texts and promises, the language's own functions, constructors.

use std::rc::Rc;

use super::Schemas;
use super::members::widened;
use super::types::{Env, ObjectType, Type};
use super::typing::Place;
use crate::evaluate::{Evaluator, Value, last};
use crate::languages::typescript::standard::GLOBAL;
use crate::model::Literal;
use crate::model::program::{Arg, Expr, ExprKind};
use crate::text::Span;

impl<'p> Schemas<'p> {
    pub(super) fn of_call(
        &mut self,
        ev: &mut Evaluator<'p>,
        callee: &'p Expr,
        args: &'p [Arg],
        types: &'p [Expr],
        expr: &'p Expr,
        place: &Place<'p>,
    ) -> Type<'p> {
        if let ExprKind::Member { object, name } = &callee.kind {
            let receiver = self.type_of(ev, object, place);
            let receiver = self.non_null(ev, &receiver);
            if let Some(result) = self.method(ev, &receiver, name, args, types, place, expr.span) {
                return result;
            }
            let method = self.member(ev, &receiver, name, Some(expr.span));
            return self.result_of(ev, &method, args, types, Some(place), expr.span);
        }
        let callee = self.type_of(ev, callee, place);
        self.result_of(ev, &callee, args, types, Some(place), expr.span)
    }

    /// A method that the language or a library defines; `None` where the type's own declaration says more.
    #[expect(clippy::too_many_arguments, reason = "a call has that many parts")]
    fn method(
        &mut self,
        ev: &mut Evaluator<'p>,
        receiver: &Type<'p>,
        name: &str,
        args: &'p [Arg],
        types: &'p [Expr],
        place: &Place<'p>,
        site: Span,
    ) -> Option<Type<'p>> {
        // A codec: text is taken as it is, of anything else it makes text.
        if self.keeps_text
            && name == "encode"
            && let [value] = args
        {
            let value = self.of_arg(ev, value, place);
            let forced = self.force(ev, &value);
            let is_text = matches!(forced, Type::Text | Type::Literal(_)) || forced.of_json_text().is_some();
            return Some(if is_text { forced } else { Type::json_text(value) });
        }
        match receiver {
            Type::Promise(inner) => self.promise_method(ev, &inner.clone(), name, args, place, site),
            Type::Text | Type::Literal(Literal::String(_)) => text_method(name),
            Type::Number => match name {
                "toFixed" | "toString" | "toPrecision" | "toLocaleString" => Some(Type::Text),
                _ => None,
            },
            Type::Date => Some(match name {
                "toISOString" | "toString" | "toJSON" | "toUTCString" | "toLocaleString" | "toDateString"
                | "toLocaleDateString" | "toLocaleTimeString" => Type::Text,
                _ => Type::Number,
            }),
            Type::Value(Value::External(path)) if path.starts_with(GLOBAL) => {
                let path = format!("{path}.{name}");
                Some(self.global_call(ev, &path, args, place, site))
            }
            Type::Value(value @ Value::Made(_)) => self.schema_method(ev, value, name, args, place, site),
            Type::Value(Value::Class(_) | Value::Module(_) | Value::External(_) | Value::Dict(_)) => None,
            Type::External(..) if receiver.of_json_text().is_some() => match name {
                "toString" | "trim" | "valueOf" => Some(receiver.clone()),
                _ => text_method(name),
            },
            Type::External(path, own) => {
                let (path, own) = (path.clone(), own.clone());
                self.library_method(ev, &path, &own, name, args, types, place, site)
            }
            // Whatever has these methods gives text.
            Type::Unknown(..) if matches!(name, "toString" | "toISOString") => Some(Type::Text),
            Type::Unknown(..) => None,
            _ => {
                let items = self.items(ev, receiver)?;
                self.array_method(ev, receiver, &items, name, args, place, site)
            }
        }
    }

    fn first_arg(&mut self, ev: &mut Evaluator<'p>, args: &'p [Arg], place: &Place<'p>, site: Span) -> Type<'p> {
        match args.first() {
            Some(arg) => self.of_arg(ev, arg, place),
            None => Type::unknown("call without an argument", Some(site)),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a call has that many parts")]
    fn array_method(
        &mut self,
        ev: &mut Evaluator<'p>,
        receiver: &Type<'p>,
        items: &Type<'p>,
        name: &str,
        args: &'p [Arg],
        place: &Place<'p>,
        site: Span,
    ) -> Option<Type<'p>> {
        Some(match name {
            "map" | "flatMap" => {
                let callback = self.first_arg(ev, args, place, site);
                let result = self.apply(ev, &callback, &[items.clone(), Type::Number], site);
                if name == "flatMap"
                    && let Some(inner) = self.items(ev, &result)
                {
                    return Some(Type::array(inner));
                }
                Type::array(widened(result))
            }
            "filter" => {
                let kept = match args.first().map(|arg| &arg.value().kind) {
                    // `filter(Boolean)`, `filter((x) => !!x)`, `filter((x): x is T => …)`
                    Some(ExprKind::Name(name)) if name == "Boolean" => self.non_null(ev, items),
                    Some(ExprKind::Lambda(function)) => match function.body.first().map(|statement| &statement.kind) {
                        Some(crate::model::program::StmtKind::Return(Some(value)))
                            if matches!(value.kind, ExprKind::Not(_)) || function.returns.is_some() =>
                        {
                            self.non_null(ev, items)
                        }
                        _ => items.clone(),
                    },
                    _ => items.clone(),
                };
                Type::array(kept)
            }
            "slice" | "sort" | "reverse" | "toSorted" | "toReversed" | "splice" | "concat" | "fill" => {
                Type::array(items.clone())
            }
            "flat" => {
                let inner = self.items(ev, items).unwrap_or_else(|| items.clone());
                Type::array(inner)
            }
            "find" | "findLast" => Type::union(vec![items.clone(), Type::Undefined]),
            "at" | "pop" | "shift" => items.clone(),
            "some" | "every" | "includes" | "has" => Type::Boolean,
            "indexOf" | "findIndex" | "push" | "unshift" | "lastIndexOf" | "findLastIndex" => Type::Number,
            "join" | "toString" => Type::Text,
            "values" => Type::array(items.clone()),
            "keys" => Type::array(Type::Number),
            "entries" => Type::array(Type::Tuple(Rc::from([Type::Number, items.clone()]))),
            "forEach" => Type::Undefined,
            "reduce" => {
                let start = match args.get(1) {
                    Some(start) => self.of_arg(ev, start, place),
                    None => return Some(items.clone()),
                };
                match self.force(ev, &start) {
                    // `reduce((all, x) => …, {})` fills what it starts with.
                    Type::Object(object) if object.props.is_empty() => {
                        Type::unknown("object that is filled step by step", Some(site))
                    }
                    Type::Array(inner) if matches!(*inner, Type::Never) => {
                        Type::array(Type::unknown("array that is filled step by step", Some(site)))
                    }
                    _ => widened(start),
                }
            }
            _ => {
                let _ = receiver;
                return None;
            }
        })
    }

    fn promise_method(
        &mut self,
        ev: &mut Evaluator<'p>,
        inner: &Type<'p>,
        name: &str,
        args: &'p [Arg],
        place: &Place<'p>,
        site: Span,
    ) -> Option<Type<'p>> {
        Some(match name {
            "then" => {
                let callback = self.first_arg(ev, args, place, site);
                let result = self.apply(ev, &callback, std::slice::from_ref(inner), site);
                let result = self.awaited(ev, &result);
                Type::promise(result)
            }
            "catch" | "finally" => Type::promise(inner.clone()),
            _ => return None,
        })
    }

    /// `schema.parse(value)` and the like.
    fn schema_method(
        &mut self,
        ev: &mut Evaluator<'p>,
        value: &Value<'p>,
        name: &str,
        _args: &'p [Arg],
        _place: &Place<'p>,
        site: Span,
    ) -> Option<Type<'p>> {
        let wrapped = match name {
            "parse" | "parseAsync" | "safeParse" | "safeParseAsync" | "spa" => {
                self.shape_of_schema(ev, value, Some(site))
            }
            _ => return None,
        };
        let inner = wrapped.map_or_else(|| Type::unknown("schema is not known", Some(site)), Type::Schema);
        let result = if name.starts_with("safe") || name == "spa" {
            let prop = |name: &str, ty| super::types::Prop {
                name: Rc::from(name),
                ty,
                optional: false,
                loose: false,
                span: Some(site),
                decorators: None,
            };
            Type::object(vec![prop("success", Type::Boolean), prop("data", inner)])
        } else {
            inner
        };
        Some(if name.ends_with("Async") || name == "spa" { Type::promise(result) } else { result })
    }

    /// What calling a value gives: an instance of a class, or what a library's function is known to give.
    pub(super) fn result_of_value(
        &mut self,
        ev: &mut Evaluator<'p>,
        value: &Value<'p>,
        args: &'p [Arg],
        types: &'p [Expr],
        place: Option<&Place<'p>>,
        site: Span,
    ) -> Type<'p> {
        match value {
            Value::Class(class) => {
                let env = Env::of(&class.scope);
                let given: Vec<Type<'p>> = match place {
                    Some(place) => types.iter().map(|ty| Self::lazy(ty, &place.env)).collect(),
                    None => Vec::new(),
                };
                let bindings = Self::bind(&class.node.type_parameters, &given, &env);
                let mut own: Vec<Type<'p>> = bindings.into_iter().map(|(_, bound)| bound).collect();
                if own.is_empty() {
                    own = self.constructed(ev, class, args, place);
                }
                Type::Class(class.clone(), own.into())
            }
            Value::External(path) => {
                let fallback = Place { env: Env::of(&ev.module_scope(crate::evaluate::ModuleId(0))), locals: None };
                let place = place.cloned().unwrap_or(fallback);
                if path.starts_with(GLOBAL) {
                    return self.global_call(ev, path, args, &place, site);
                }
                self.library_call(ev, path, args, types, &place, site)
            }
            Value::Made(_) => self.called(ev, value, site),
            Value::Unknown(why, span) => Type::unknown(*why, span.or(Some(site))),
            _ => Type::unknown("call of what is no function", Some(site)),
        }
    }

    /// A function or constructor of the language's own, by its path: `javascript.Object.keys`.
    fn global_call(
        &mut self,
        ev: &mut Evaluator<'p>,
        path: &str,
        args: &'p [Arg],
        place: &Place<'p>,
        site: Span,
    ) -> Type<'p> {
        let name = path.strip_prefix(GLOBAL).unwrap_or(path);
        match name {
            "Object.keys" | "Object.getOwnPropertyNames" => Type::array(Type::Text),
            "Object.values" | "Object.entries" => {
                let of = self.first_arg(ev, args, place, site);
                let of = self.non_null(ev, &of);
                let value = match self.properties(ev, &of) {
                    Some(object) if object.open.is_none() => {
                        let props = object.props.iter().map(|prop| prop.ty.clone());
                        Type::union(props.chain(object.index.clone()).collect())
                    }
                    _ => Type::unknown("members of what is not known", Some(site)),
                };
                if name == "Object.values" {
                    Type::array(value)
                } else {
                    Type::array(Type::Tuple(Rc::from([Type::Text, value])))
                }
            }
            "Object.assign" => {
                let mut object =
                    ObjectType { props: Vec::new(), index: None, open: None, name: None, span: Some(site) };
                for arg in args {
                    let ty = self.of_arg(ev, arg, place);
                    if matches!(arg, Arg::Spread(_)) {
                        object.open = Some((Rc::from("what is spread in is not known"), Some(site)));
                    } else {
                        self.spread(ev, &ty, site, &mut object);
                    }
                }
                Type::Object(Rc::new(object))
            }
            "Object.fromEntries" => {
                let entries = self.first_arg(ev, args, place, site);
                let entry = self.element(ev, &entries, site);
                match self.force(ev, &entry) {
                    Type::Tuple(items) if items.len() == 2 => Type::Map(Rc::new(items[1].clone())),
                    _ => Type::Map(Rc::new(Type::unknown("entries of an object", Some(site)))),
                }
            }
            "JSON.stringify" if self.keeps_text => {
                let value = self.first_arg(ev, args, place, site);
                Type::json_text(value)
            }
            // The same in another form, and back.
            "JSON.parse" | "Buffer.from" | "String" | "Buffer.toString" if self.keeps_text && !args.is_empty() => {
                let text = self.first_arg(ev, args, place, site);
                match (self.force(ev, &text), name) {
                    (text, "JSON.parse") => {
                        let inner = text.of_json_text().cloned();
                        inner.unwrap_or_else(|| Type::unknown("`JSON.parse` is not followed", Some(site)))
                    }
                    (text, _) if text.of_json_text().is_some() => text,
                    (_, "Buffer.from") => Type::unknown("`Buffer.from` is not followed", Some(site)),
                    _ => Type::Text,
                }
            }
            "Object.freeze" | "structuredClone" => self.first_arg(ev, args, place, site),
            "Promise.resolve" => {
                let inner = if args.is_empty() { Type::Undefined } else { self.first_arg(ev, args, place, site) };
                let inner = self.awaited(ev, &inner);
                Type::promise(inner)
            }
            "Promise.all" => match args.first().map(|arg| &arg.value().kind) {
                Some(ExprKind::List(items)) if !items.iter().any(|item| matches!(item.kind, ExprKind::Spread(_))) => {
                    let mut awaited = Vec::new();
                    for item in items {
                        let ty = self.type_of(ev, item, place);
                        awaited.push(self.awaited(ev, &ty));
                    }
                    Type::promise(Type::Tuple(awaited.into()))
                }
                _ => {
                    let all = self.first_arg(ev, args, place, site);
                    let item = self.element(ev, &all, site);
                    let item = self.awaited(ev, &item);
                    Type::promise(Type::array(item))
                }
            },
            "Array.from" => {
                let of = self.first_arg(ev, args, place, site);
                let items = self.element(ev, &of, site);
                match args.get(1) {
                    Some(each) => {
                        let each = self.of_arg(ev, each, place);
                        let result = self.apply(ev, &each, &[items, Type::Number], site);
                        Type::array(widened(result))
                    }
                    None => Type::array(items),
                }
            }
            "Set" => match args.first() {
                Some(_) => {
                    let of = self.first_arg(ev, args, place, site);
                    let items = self.element(ev, &of, site);
                    Type::External(Rc::from("javascript.Set"), Rc::from([items]))
                }
                None => Type::unknown("set that is filled step by step", Some(site)),
            },
            "Array.isArray" | "Boolean" | "isNaN" | "Number.isInteger" | "Object.is" => Type::Boolean,
            "String" | "JSON.stringify" | "encodeURIComponent" | "decodeURIComponent" | "crypto.randomUUID"
            | "Buffer.toString" => Type::Text,
            "Number" | "parseInt" | "parseFloat" | "Date.now" | "Date.parse" | "Number.parseInt"
            | "Number.parseFloat" => Type::Number,
            _ if name.starts_with("Math.") => Type::Number,
            "Date" => Type::Date,
            "process.uptime" => Type::Number,
            "process.cwd" => Type::Text,
            _ => Type::unknown(format!("`{name}` is not followed"), Some(site)),
        }
    }
}

fn text_method<'p>(name: &str) -> Option<Type<'p>> {
    Some(match name {
        "split" => Type::array(Type::Text),
        "includes" | "startsWith" | "endsWith" | "test" => Type::Boolean,
        "indexOf" | "lastIndexOf" | "charCodeAt" | "search" | "localeCompare" | "codePointAt" => Type::Number,
        "match" | "matchAll" => return None,
        "at" => Type::union(vec![Type::Text, Type::Undefined]),
        _ => Type::Text,
    })
}

/// The last part of a library's path.
pub(super) fn library_name(path: &str) -> &str {
    last(path)
}
