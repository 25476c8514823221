//! The program tree as one line of text, for tests.

use std::fmt::Write;

use crate::model::program::{
    Arg, ClassKind, ComprehensionKind, DictItem, Expr, ExprKind, Function, Import, ImportWhat, MatchArm, MatchCase,
    Modifiers, Param, ParamKind, Property, Stmt, StmtKind, TypeParameter,
};

pub(super) fn stmts(stmts: &[Stmt]) -> String {
    list(stmts, stmt, "; ")
}

fn list<T>(items: &[T], one: impl Fn(&T) -> String, separator: &str) -> String {
    items.iter().map(one).collect::<Vec<_>>().join(separator)
}

fn block(name: &str, body: &[Stmt]) -> String {
    if body.is_empty() { String::new() } else { format!(" {name} {{{}}}", stmts(body)) }
}

fn optional(before: &str, value: Option<&Expr>) -> String {
    value.map_or_else(String::new, |value| format!("{before}{}", expr(value)))
}

fn stmt(stmt: &Stmt) -> String {
    match &stmt.kind {
        StmtKind::Expr(value) => expr(value),
        StmtKind::Assign { targets, value } => format!("{} = {}", list(targets, expr, " = "), expr(value)),
        StmtKind::Annotated { target, annotation, value } => {
            format!("{}: {}{}", expr(target), expr(annotation), optional(" = ", value.as_ref()))
        }
        StmtKind::Augmented { target, op, value } => format!("{} {op:?}= {}", expr(target), expr(value)),
        StmtKind::Property(member) => property(member),
        StmtKind::Import(import) => self::import(import),
        StmtKind::Function(declared) => function(declared),
        StmtKind::Class(class) => {
            let mut bases: Vec<String> = class.bases.iter().map(expr).collect();
            bases.extend(class.keywords.iter().map(|(name, value)| format!("{name}={}", expr(value))));
            let parameters = type_parameters(&class.type_parameters);
            let decorators = decorators(&class.decorators);
            let keyword = match class.kind {
                ClassKind::Class => "class",
                ClassKind::Interface => "interface",
                ClassKind::Enum => "enum",
            };
            format!(
                "{decorators}{}{keyword}#{} {}{parameters}({}) {{{}}}",
                modifiers(class.modifiers),
                class.index,
                class.name,
                bases.join(", "),
                stmts(&class.body)
            )
        }
        StmtKind::Namespace { name, body, .. } => format!("namespace {name} {{{}}}", stmts(body)),
        StmtKind::If { test, then, otherwise } => {
            format!("if {} {{{}}}{}", expr(test), stmts(then), block("else", otherwise))
        }
        StmtKind::For { target, iter, body, otherwise } => {
            format!("for {} in {} {{{}}}{}", expr(target), expr(iter), stmts(body), block("else", otherwise))
        }
        StmtKind::While { test, body } => format!("while {} {{{}}}", expr(test), stmts(body)),
        StmtKind::With { items, body } => {
            let items = list(items, |item| expr(&item.value) + &optional(" as ", item.target.as_ref()), ", ");
            format!("with {items} {{{}}}", stmts(body))
        }
        StmtKind::Try { body, handlers, otherwise, finally } => {
            let handlers = list(handlers, |handler| format!(" except {{{}}}", stmts(handler)), "");
            format!("try {{{}}}{handlers}{}{}", stmts(body), block("else", otherwise), block("finally", finally))
        }
        StmtKind::Match { subject, cases } => {
            format!("match {}{}", expr(subject), list(cases, match_case, ""))
        }
        StmtKind::Return(value) => format!("return{}", optional(" ", value.as_ref())),
        StmtKind::Raise => "raise".to_owned(),
        StmtKind::Continue => "continue".to_owned(),
        StmtKind::Break => "break".to_owned(),
        StmtKind::TypeAlias { name, parameters, value } => {
            format!("type {name}{} = {}", type_parameters(parameters), expr(value))
        }
    }
}

fn match_case(case: &MatchCase) -> String {
    let values = list(&case.values, |value| format!(" {}", expr(value)), "");
    format!(" case{values} {{{}}}", stmts(&case.body))
}

fn property(property: &Property) -> String {
    // Where a language has modifiers, they say these as well.
    let plain = property.modifiers == Modifiers::default();
    format!(
        "{}{}{}{}.{}{}{}{}{}",
        decorators(&property.decorators),
        if plain && property.is_static { "static " } else { "" },
        if plain && property.is_private { "private " } else { "" },
        modifiers(property.modifiers),
        property.name,
        if property.optional { "?" } else { "" },
        optional(": ", property.annotation.as_ref()),
        optional(" = ", property.value.as_ref()),
        property.getter.as_ref().map_or_else(String::new, |getter| format!(" get {}", function(getter)))
    )
}

/// Each as one word, in the order of their declaration.
fn modifiers(set: Modifiers) -> String {
    let words = [
        (Modifiers::PUBLIC, "public "),
        (Modifiers::PROTECTED, "protected "),
        (Modifiers::INTERNAL, "internal "),
        (Modifiers::PRIVATE, "private "),
        (Modifiers::STATIC, "static "),
        (Modifiers::ABSTRACT, "abstract "),
        (Modifiers::VIRTUAL, "virtual "),
        (Modifiers::OVERRIDE, "override "),
        (Modifiers::HIDES, "hides "),
        (Modifiers::PARTIAL, "partial "),
        (Modifiers::REQUIRED, "required "),
        (Modifiers::CONST, "const "),
        (Modifiers::READ_ONLY, "readonly "),
        (Modifiers::WRITE_ONLY, "writeonly "),
        (Modifiers::INIT, "init "),
        (Modifiers::FIELD, "field "),
        (Modifiers::EXTENSION, "extension "),
        (Modifiers::RECORD, "record "),
        (Modifiers::STRUCT, "struct "),
        (Modifiers::PRIMARY, "primary "),
    ];
    words.iter().filter(|(modifier, _)| set.has(*modifier)).map(|(_, word)| *word).collect()
}

fn import(import: &Import) -> String {
    let module = format!("{}{}", ".".repeat(import.level as usize), import.module);
    match &import.what {
        ImportWhat::Module => format!("import {module}"),
        ImportWhat::ModuleAs(alias) => format!("import {module} as {alias}"),
        ImportWhat::Name { name, alias } if name == alias => format!("from {module} import {name}"),
        ImportWhat::Name { name, alias } => format!("from {module} import {name} as {alias}"),
        ImportWhat::Star => format!("from {module} import *"),
        ImportWhat::Static => format!("static import {module}"),
        ImportWhat::Require(alias) => format!("require {module} as {alias}"),
    }
}

fn decorators(decorators: &[Expr]) -> String {
    list(decorators, |decorator| format!("@{} ", expr(decorator)), "")
}

fn type_parameters(parameters: &[TypeParameter]) -> String {
    let one = |parameter: &TypeParameter| {
        let bound = optional(": ", parameter.bound.as_ref());
        format!("{}{bound}{}", parameter.name, optional(" = ", parameter.default.as_ref()))
    };
    if parameters.is_empty() { String::new() } else { format!("[{}]", list(parameters, one, ", ")) }
}

fn params(params: &[Param]) -> String {
    let one = |param: &Param| {
        let stars = match param.kind {
            ParamKind::Positional => "",
            ParamKind::KeywordOnly => "~",
            ParamKind::Rest => "*",
            ParamKind::KeywordRest => "**",
        };
        format!(
            "{}{stars}{}{}{}{}",
            decorators(&param.decorators),
            param.name,
            if param.optional { "?" } else { "" },
            optional(": ", param.annotation.as_ref()),
            optional(" = ", param.default.as_ref())
        )
    };
    list(params, one, ", ")
}

fn function(function: &Function) -> String {
    let params = params(&function.parameters);
    if function.is_lambda {
        return format!(
            "{}{}lambda#{}{}({params}){} {{{}}}",
            decorators(&function.decorators),
            if function.is_async { "async " } else { "" },
            function.index,
            type_parameters(&function.type_parameters),
            optional(" -> ", function.returns.as_ref()),
            stmts(&function.body)
        );
    }
    format!(
        "{}{}{}def#{} {}{}({params}){} {{{}}}",
        decorators(&function.decorators),
        modifiers(function.modifiers),
        if function.is_async { "async " } else { "" },
        function.index,
        function.name,
        type_parameters(&function.type_parameters),
        optional(" -> ", function.returns.as_ref()),
        stmts(&function.body)
    )
}

fn dict_items(items: &[DictItem]) -> String {
    let one = |item: &DictItem| match item {
        DictItem::Pair(key, value) => format!("{}: {}", expr(key), expr(value)),
        DictItem::Spread(value) => format!("**{}", expr(value)),
    };
    list(items, one, ", ")
}

fn arg(arg: &Arg) -> String {
    match arg {
        Arg::Positional(value) => expr(value),
        Arg::Spread(value) => format!("*{}", expr(value)),
        Arg::Keyword(name, value) => format!("{name}={}", expr(value)),
        Arg::KeywordSpread(value) => format!("**{}", expr(value)),
    }
}

fn match_arm(arm: &MatchArm) -> String {
    let values = list(&arm.values, |value| format!(" {}", expr(value)), "");
    format!(" case{values}{} {{{}}}", optional(" if ", arm.test.as_ref()), expr(&arm.value))
}

pub(super) fn expr(expr: &Expr) -> String {
    let exprs = |items: &[Expr]| list(items, self::expr, ", ");
    match &expr.kind {
        ExprKind::Str { text, as_type: None } => format!("{text:?}"),
        ExprKind::Str { text, as_type: Some(inner) } => format!("{text:?}<{}>", self::expr(inner)),
        ExprKind::Bytes => "bytes".to_owned(),
        ExprKind::Record(items) => format!("record{{{}}}", dict_items(items)),
        ExprKind::ObjectType(members) => format!("type{{{}}}", list(members, property, "; ")),
        ExprKind::Cast { value, kind } => format!("({} as {})", self::expr(value), self::expr(kind)),
        ExprKind::TypeOf(value) => format!("typeof {}", self::expr(value)),
        ExprKind::FunctionType(signature) => format!(
            "fn{}({}){}",
            type_parameters(&signature.type_parameters),
            params(&signature.parameters),
            optional(" -> ", signature.returns.as_ref())
        ),
        ExprKind::Without { value, names } => format!("({} without {})", self::expr(value), names.join(", ")),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Float(value) => format!("{value:?}"),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::None => "None".to_owned(),
        ExprKind::Ellipsis => "...".to_owned(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Member { object, name } => format!("{}.{name}", self::expr(object)),
        ExprKind::Index { object, index } => format!("{}[{}]", self::expr(object), exprs(index)),
        ExprKind::Slice { lower, upper, step } => {
            let bound = |bound: &Option<Box<Expr>>| optional("", bound.as_deref());
            format!("{}:{}:{}", bound(lower), bound(upper), bound(step))
        }
        ExprKind::Call { callee, types, args } => {
            let types = if types.is_empty() { String::new() } else { format!("<{}>", exprs(types)) };
            format!("{}{types}({})", self::expr(callee), list(args, arg, ", "))
        }
        ExprKind::New { class, args } => {
            format!("new {}({})", optional("", class.as_deref()), list(args, arg, ", "))
        }
        ExprKind::With { value, with } => format!("({} with {})", self::expr(value), self::expr(with)),
        ExprKind::List(items) => format!("[{}]", exprs(items)),
        ExprKind::Tuple(items) => format!("({},)", exprs(items)),
        ExprKind::Set(items) => format!("{{{}}}", exprs(items)),
        ExprKind::Dict(items) => format!("{{{}}}", dict_items(items)),
        ExprKind::Template(parts) => format!("f({})", exprs(parts)),
        ExprKind::Binary { op, left, right } => format!("({} {op:?} {})", self::expr(left), self::expr(right)),
        ExprKind::And(left, right) => format!("({} and {})", self::expr(left), self::expr(right)),
        ExprKind::Or(left, right) => format!("({} or {})", self::expr(left), self::expr(right)),
        ExprKind::Not(inner) => format!("not {}", self::expr(inner)),
        ExprKind::Negate(inner) => format!("-{}", self::expr(inner)),
        ExprKind::Compare { op, left, right } => format!("({} {op:?} {})", self::expr(left), self::expr(right)),
        ExprKind::Conditional { test, then, otherwise } => {
            format!("({} ? {} : {})", self::expr(test), self::expr(then), self::expr(otherwise))
        }
        ExprKind::Match { subject, arms } => {
            format!("(match {}{})", self::expr(subject), list(arms, match_arm, ""))
        }
        ExprKind::Raise => "raise".to_owned(),
        ExprKind::Lambda(declared) => function(declared),
        ExprKind::Comprehension(comprehension) => {
            let name = match comprehension.kind {
                ComprehensionKind::List => "list",
                ComprehensionKind::Set => "set",
                ComprehensionKind::Dict => "dict",
                ComprehensionKind::Generator => "generator",
            };
            let mut out = format!("{name}({}", self::expr(&comprehension.element));
            out += &optional(": ", comprehension.value.as_ref());
            for clause in &comprehension.clauses {
                let _ = write!(out, " for {} in {}", self::expr(&clause.target), self::expr(&clause.iter));
                out += &list(&clause.conditions, |condition| format!(" if {}", self::expr(condition)), "");
            }
            out + ")"
        }
        ExprKind::Spread(inner) => format!("*{}", self::expr(inner)),
        ExprKind::Await(inner) => format!("await {}", self::expr(inner)),
        ExprKind::Named { name, value } => format!("({name} := {})", self::expr(value)),
        ExprKind::Yield(value) => format!("yield{}", optional(" ", value.as_deref())),
        ExprKind::Other(what) => format!("<{what}>"),
    }
}
