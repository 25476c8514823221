//! What types and functions of well-known libraries give, as far as it decides a response: TypeORM's repositories,
//! HTTP clients whose answer is declared by a type argument.

use std::rc::Rc;

use super::Schemas;
use super::calls::library_name;
use super::types::Type;
use super::typing::Place;
use crate::evaluate::{Evaluator, Value};
use crate::model::program::{Arg, Expr};
use crate::text::Span;

const REPOSITORIES: &[&str] = &["Repository", "TreeRepository", "MongoRepository", "EntityRepository", "EntityManager"];
const QUERIES: &[&str] = &["SelectQueryBuilder", "QueryBuilder"];
const CLIENTS: &[&str] = &["AxiosInstance", "axios", "AxiosStatic", "Axios", "HttpService"];

impl<'p> Schemas<'p> {
    /// A member of a library's type that is read.
    pub(super) fn library_member(path: &str, args: &[Type<'p>], name: &str, site: Option<Span>) -> Type<'p> {
        match (library_name(path), name) {
            ("Request", name) if path.starts_with("express") => {
                let text_or_nothing = || Type::union(vec![Type::Text, Type::Undefined]);
                match name {
                    "params" => Type::Map(Rc::new(Type::Text)),
                    "headers" => Type::Map(Rc::new(text_or_nothing())),
                    "method" | "url" | "originalUrl" | "baseUrl" | "path" | "protocol" | "hostname" | "httpVersion" => {
                        Type::Text
                    }
                    "ip" => text_or_nothing(),
                    "secure" | "xhr" | "fresh" | "stale" => Type::Boolean,
                    "ips" | "subdomains" => Type::array(Type::Text),
                    _ => Type::unknown(format!("`{name}` of the request is known at run time"), site),
                }
            }
            ("AxiosResponse", "data") => args.first().cloned().unwrap_or(Type::Any),
            ("AxiosResponse", "status") | ("Set" | "Map", "size") => Type::Number,
            _ => Type::unknown(format!("`{path}` is not part of the scanned sources"), site),
        }
    }

    /// A method of a library's type that is called; `None` where nothing is known of it.
    #[expect(clippy::too_many_arguments, reason = "a call has that many parts")]
    pub(super) fn library_method(
        &mut self,
        ev: &mut Evaluator<'p>,
        path: &str,
        own: &[Type<'p>],
        name: &str,
        args: &'p [Arg],
        types: &'p [Expr],
        place: &Place<'p>,
        site: Span,
    ) -> Option<Type<'p>> {
        let library = library_name(path);
        let entity = own.first().cloned();
        let or_null = |ty: Type<'p>| Type::union(vec![ty, Type::Null]);
        if REPOSITORIES.contains(&library) && path.starts_with("typeorm") {
            let entity = match entity {
                Some(entity) => entity,
                // `manager.find(User, …)`
                None => match self.of_class_argument(ev, args, place) {
                    Some(entity) => entity,
                    None if name != "getRepository" => return None,
                    None => Type::unknown("entity is not known", Some(site)),
                },
            };
            return Some(match name {
                "getRepository" | "getTreeRepository" => {
                    Type::External(Rc::from("typeorm.Repository"), Rc::from([entity]))
                }
                "find" | "findBy" | "findByIds" | "findTrees" | "findRoots" => Type::promise(Type::array(entity)),
                "findOne" | "findOneBy" | "findOneById" => Type::promise(or_null(entity)),
                "findOneOrFail" | "findOneByOrFail" | "preload" => Type::promise(entity),
                "findAndCount" | "findAndCountBy" => {
                    Type::promise(Type::Tuple(Rc::from([Type::array(entity), Type::Number])))
                }
                "count" | "countBy" | "sum" | "average" => Type::promise(Type::Number),
                "exist" | "exists" | "existsBy" => Type::promise(Type::Boolean),
                "save" | "remove" | "softRemove" | "recover" => {
                    let saved = match args.first() {
                        Some(arg) => self.of_arg(ev, arg, place),
                        None => entity.clone(),
                    };
                    // What is saved comes back as the entity: fields of a literal, and those that the database fills in.
                    let several = self.items(ev, &saved).is_some();
                    Type::promise(if several { Type::array(entity) } else { entity })
                }
                "create" | "merge" => {
                    let given = args.first().map(|arg| self.of_arg(ev, arg, place));
                    let several = given.is_some_and(|given| self.items(ev, &given).is_some());
                    if several { Type::array(entity) } else { entity }
                }
                "createQueryBuilder" => Type::External(Rc::from("typeorm.SelectQueryBuilder"), Rc::from([entity])),
                _ => return None,
            });
        }
        if QUERIES.contains(&library) && path.starts_with("typeorm") {
            let entity = entity.unwrap_or_else(|| Type::unknown("entity is not known", Some(site)));
            return Some(match name {
                "getMany" => Type::promise(Type::array(entity)),
                "getOne" => Type::promise(or_null(entity)),
                "getOneOrFail" => Type::promise(entity),
                "getManyAndCount" => Type::promise(Type::Tuple(Rc::from([Type::array(entity), Type::Number]))),
                "getCount" => Type::promise(Type::Number),
                "getRawOne" | "getRawMany" | "getRawAndEntities" | "execute" | "stream" => {
                    Type::unknown("raw rows of a query", Some(site))
                }
                _ => Type::External(Rc::from(path), own.into()),
            });
        }
        if library == "DataSource" && path.starts_with("typeorm") {
            let entity = self.of_class_argument(ev, args, place);
            return match (name, entity) {
                ("getRepository", Some(entity)) => {
                    Some(Type::External(Rc::from("typeorm.Repository"), Rc::from([entity])))
                }
                _ => None,
            };
        }
        if CLIENTS.contains(&library) {
            return Some(Self::http_call(name, types, place, site));
        }
        match (library, name) {
            ("Request", "get" | "header") if path.starts_with("express") => {
                Some(Type::union(vec![Type::Text, Type::Undefined]))
            }
            ("Set", "has") => Some(Type::Boolean),
            ("Set" | "Map", "values") => {
                let value = own.last().cloned()?;
                Some(Type::array(value))
            }
            // Like an index into an array: that the key is there is the author's to know.
            ("Map", "get") => Some(own.get(1)?.clone()),
            ("Map", "keys") => Some(Type::array(own.first()?.clone())),
            ("Map", "entries") => Some(Type::array(Type::Tuple(Rc::from([own.first()?.clone(), own.get(1)?.clone()])))),
            ("Map" | "Set", "has" | "delete") => Some(Type::Boolean),
            _ => None,
        }
    }

    /// `client.get<T>(url)` of axios: a promise of a response whose data is a `T`.
    fn http_call(name: &str, types: &'p [Expr], place: &Place<'p>, site: Span) -> Type<'p> {
        let data = match types.first() {
            Some(ty) => Self::lazy(ty, &place.env),
            None => Type::unknown("answer of another service without a declared type", Some(site)),
        };
        match name {
            "get" | "post" | "put" | "patch" | "delete" | "request" | "head" | "options" => {
                Type::promise(Type::External(Rc::from("axios.AxiosResponse"), Rc::from([data])))
            }
            _ => Type::unknown("method of an HTTP client", Some(site)),
        }
    }

    fn of_class_argument(&mut self, ev: &mut Evaluator<'p>, args: &'p [Arg], place: &Place<'p>) -> Option<Type<'p>> {
        let given = self.of_arg(ev, args.first()?, place);
        match self.force(ev, &given) {
            Type::Value(Value::Class(class)) => Some(Type::class(class)),
            _ => None,
        }
    }

    /// A function of a library that is called.
    pub(super) fn library_call(
        &mut self,
        ev: &mut Evaluator<'p>,
        path: &str,
        args: &'p [Arg],
        types: &'p [Expr],
        place: &Place<'p>,
        site: Span,
    ) -> Type<'p> {
        let package = crate::evaluate::package_name(path).0.split('.').next().unwrap_or(path);
        let name = library_name(path);
        let of_entity = |entity: Option<Type<'p>>| match entity {
            Some(entity) => Type::External(Rc::from("typeorm.Repository"), Rc::from([entity])),
            None => Type::unknown("entity is not known", Some(site)),
        };
        match (package, name) {
            ("typeorm", "getRepository" | "getTreeRepository") => {
                let entity = self.of_class_argument(ev, args, place);
                of_entity(entity)
            }
            ("typeorm", "DataSource") => Type::external("typeorm.DataSource"),
            ("class-transformer", "plainToInstance" | "plainToClass" | "plainToClassFromExist") => {
                match (self.of_class_argument(ev, args, place), args.get(1)) {
                    (Some(class), Some(given)) => {
                        let given = self.of_arg(ev, given, place);
                        let given = self.non_null(ev, &given);
                        if self.items(ev, &given).is_some() { Type::array(class) } else { class }
                    }
                    _ => Type::unknown("class is not known", Some(site)),
                }
            }
            ("class-transformer", "instanceToPlain" | "classToPlain" | "instanceToInstance") => match args.first() {
                Some(arg) => self.of_arg(ev, arg, place),
                None => Type::unknown("call without an argument", Some(site)),
            },
            ("axios", "create") => Type::external("axios.AxiosInstance"),
            ("axios", _) => Self::http_call(name, types, place, site),
            // Functions that keep the type of the list or object that they are given.
            (
                "lodash" | "lodash-es" | "radash" | "remeda" | "es-toolkit",
                "sortBy" | "orderBy" | "uniqBy" | "uniq" | "filter" | "reverse" | "shuffle" | "take" | "drop"
                | "uniqWith" | "cloneDeep" | "clone" | "sort" | "unique",
            ) => match args.first() {
                Some(arg) => self.of_arg(ev, arg, place),
                None => Type::unknown("call without an argument", Some(site)),
            },
            _ => Type::unknown(format!("`{path}` is not part of the scanned sources"), Some(site)),
        }
    }
}
