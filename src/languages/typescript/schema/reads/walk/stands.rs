//! What expressions stand for: parts of the request, and members of them by name, through names, calls and functions that
//! give back a part.

use std::rc::Rc;

use super::{Frame, MAX_ALIASES, MAX_STEPS, Walk};
use crate::evaluate::Value;
use crate::languages::typescript::schema::answers::returned;
use crate::languages::typescript::schema::locals::{Local, Locals};
use crate::languages::typescript::schema::reads::bare;
use crate::languages::typescript::schema::reads::parts::{self, Given, Part, Source};
use crate::languages::typescript::schema::typing::Place;
use crate::languages::typescript::schema::{Callable, Type};
use crate::model::program::{Arg, Expr, ExprKind};

/// What an expression stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stands {
    Part(Part),
    Member(Source, String),
    /// A member whose name is not known.
    Some(Source),
}

impl<'p> Walk<'_, 'p> {
    /// What an expression stands for: a part of the request, or a member of one.
    pub(super) fn stands(&mut self, expr: &'p Expr, aliases: u32) -> Option<Stands> {
        self.steps += 1;
        if aliases > MAX_ALIASES || self.steps > MAX_STEPS {
            return None;
        }
        match &expr.kind {
            ExprKind::Name(name) => self.named(name, expr, aliases),
            ExprKind::Member { object, name } => match self.stands(object, aliases)? {
                Stands::Part(Part::Of(_)) if name == "length" => None,
                Stands::Part(Part::Of(source)) => Some(Stands::Member(source, name.clone())),
                Stands::Part(part) => parts::member(part, name).map(Stands::Part),
                // What is inside of a member, or what a method makes of it.
                member @ (Stands::Member(..) | Stands::Some(_)) => Some(member),
            },
            ExprKind::Index { object, index } => match (self.stands(object, aliases)?, index.as_slice()) {
                (Stands::Part(Part::Of(source)), [Expr { kind: ExprKind::Str { text, .. }, .. }]) => {
                    Some(Stands::Member(source, text.clone()))
                }
                (Stands::Part(Part::Of(source)), [index]) => match self.text(index) {
                    Some(name) => Some(Stands::Member(source, name)),
                    None => Some(Stands::Some(source)),
                },
                (member @ (Stands::Member(..) | Stands::Some(_)), _) => Some(member),
                _ => None,
            },
            ExprKind::Call { callee, args, .. } => self.stands_call(callee, args, aliases),
            ExprKind::Await(inner) | ExprKind::Cast { value: inner, .. } | ExprKind::Spread(inner) => {
                self.stands(inner, aliases)
            }
            // `req.body ?? {}`
            ExprKind::Or(left, right) => match self.stands(left, aliases)? {
                part @ Stands::Part(_) if is_plain(right) => Some(part),
                part @ Stands::Part(_) if self.stands(right, aliases).as_ref() == Some(&part) => Some(part),
                member @ (Stands::Member(..) | Stands::Some(_)) if is_plain(right) => Some(member),
                _ => None,
            },
            _ => None,
        }
    }

    fn stands_call(&mut self, callee: &'p Expr, args: &'p [Arg], aliases: u32) -> Option<Stands> {
        let first = args.first().map(Arg::value);
        if let ExprKind::Member { object, name } = &callee.kind {
            match self.stands(object, aliases) {
                Some(Stands::Part(part)) => {
                    return match parts::called(part, name, first.is_some())? {
                        Given::Part(part) => Some(Stands::Part(part)),
                        Given::Named(source) => match self.text(first?) {
                            Some(name) => Some(Stands::Member(source, name)),
                            None => Some(Stands::Some(source)),
                        },
                    };
                }
                // `req.query.ids.split(",")`
                Some(member @ (Stands::Member(..) | Stands::Some(_))) => return Some(member),
                None => {}
            }
        }
        let (of, name) = match &callee.kind {
            ExprKind::Name(name) => (None, name),
            ExprKind::Member { object, name } => match &object.kind {
                ExprKind::Name(of) => (Some(of.as_str()), name),
                _ => return None,
            },
            _ => return None,
        };
        let first = first?;
        let known = match name.as_str() {
            "URL" => match self.stands(first, aliases)? {
                Stands::Part(Part::Address | Part::Url) => Some(Stands::Part(Part::Url)),
                _ => None,
            },
            // `getCookie(c, "name")`
            "getCookie" | "getSignedCookie" => {
                self.stands(first, aliases).filter(|it| matches!(it, Stands::Part(Part::Context)))?;
                let name = args.iter().skip(1).find_map(|arg| self.text(arg.value()));
                Some(name.map_or(Stands::Part(Part::Of(Source::Cookie)), |name| Stands::Member(Source::Cookie, name)))
            }
            name if parts::passes(of, name) => match self.stands(first, aliases)? {
                part @ Stands::Part(Part::Of(_)) => Some(part),
                _ => None,
            },
            _ => None,
        };
        known.or_else(|| self.given_back(callee, args, aliases))
    }

    /// `const body = readBody(request)`: a function that gives back a part of what it is given.
    fn given_back(&mut self, callee: &'p Expr, args: &'p [Arg], aliases: u32) -> Option<Stands> {
        let hands: Vec<Option<Part>> = args
            .iter()
            .map(|arg| match self.stands(arg.value(), aliases + 1) {
                Some(Stands::Part(part)) => Some(part),
                _ => None,
            })
            .collect();
        hands.iter().flatten().next()?;
        let (place, left) = (self.place()?, self.left.checked_sub(1)?);
        let callee = self.schemas.type_of(self.ev, callee, &place);
        let Type::Function(callable) = self.schemas.force(self.ev, &callee) else { return None };
        let Callable::Program { function, env, locals, this } = &*callable else { return None };
        let mut inside = Locals::of(function, locals.clone(), None);
        inside.this.clone_from(this);
        let inside = Rc::new(inside);
        let given = callable.parameters().iter().zip(&hands);
        let roots = given.filter_map(|(parameter, part)| Some((parameter.name.as_str(), (*part)?))).collect();
        let place = Place { env: env.clone(), locals: Some(inside.clone()) };
        let frames = std::mem::replace(&mut self.frames, vec![Frame { place, locals: inside, roots, elements: None }]);
        let outer = std::mem::replace(&mut self.left, left);
        let mut found = None;
        for value in returned(function).into_iter().flatten() {
            let mut choices = vec![value];
            while let Some(choice) = choices.pop() {
                match &bare(choice).kind {
                    ExprKind::Conditional { then, otherwise, .. } => choices.extend([&**then, &**otherwise]),
                    _ if found.is_none() => found = self.stands(choice, aliases + 1),
                    _ => {}
                }
            }
        }
        self.left = outer;
        self.frames = frames;
        found.filter(|found| matches!(found, Stands::Part(Part::Of(_) | Part::Url)))
    }

    /// `part[name]` where the name is one of several: each is read.
    pub(super) fn computed(&mut self, expr: &'p Expr) -> bool {
        let ExprKind::Index { object, index } = &bare(expr).kind else { return false };
        let (Some(Stands::Part(Part::Of(source))), [index]) = (self.stands(object, 0), index.as_slice()) else {
            return false;
        };
        let names = self.texts(index);
        for name in &names {
            self.read(source, name.clone(), None, expr.span);
        }
        !names.is_empty()
    }

    /// The texts that an expression may be, where it is an element of a sequence that is known, or a member of one.
    fn texts(&mut self, expr: &'p Expr) -> Vec<String> {
        let (element, member) = match &expr.kind {
            ExprKind::Name(_) => (expr, None),
            ExprKind::Member { object, name } => (&**object, Some(name)),
            _ => return Vec::new(),
        };
        let ExprKind::Name(name) = &element.kind else { return Vec::new() };
        let Some((sequence, place)) = self.sequence_of(name, element) else { return Vec::new() };
        let elements = self.schemas.constant(self.ev, sequence, &place).elements().unwrap_or_default();
        let texts = elements.iter().filter_map(|element| match (member, element) {
            (None, Value::Str(text)) => Some(text.to_string()),
            (Some(member), Value::Dict(dict)) => Some(dict.borrow().get_str(member)?.as_str()?.to_owned()),
            _ => None,
        });
        texts.collect()
    }

    /// What a name is an element of.
    fn sequence_of(&self, name: &str, at: &Expr) -> Option<(&'p Expr, Place<'p>)> {
        for (depth, frame) in self.frames.iter().enumerate().rev() {
            let Some(local) = frame.locals.find(name, at.span) else { continue };
            return match local {
                Local::Element(sequence) => Some((sequence, frame.place.clone())),
                // The function stands in the one around it.
                Local::Param(_) => {
                    let around = self.frames.get(depth.checked_sub(1)?)?;
                    Some((frame.elements?, around.place.clone()))
                }
                _ => None,
            };
        }
        None
    }

    fn named(&mut self, name: &'p str, expr: &'p Expr, aliases: u32) -> Option<Stands> {
        for at in (0..self.frames.len()).rev() {
            let frame = &self.frames[at];
            let Some(local) = frame.locals.find(name, expr.span) else { continue };
            return match local {
                Local::Param(_) => {
                    frame.roots.iter().find(|(root, _)| *root == name).map(|(_, part)| Stands::Part(*part))
                }
                Local::Value(value) | Local::Annotated(_, Some(value)) => {
                    let inner = self.frames.split_off(at + 1);
                    let found = self.stands(value, aliases + 1);
                    self.frames.extend(inner);
                    // A name of a member was read where it was bound.
                    found.filter(|found| matches!(found, Stands::Part(_)))
                }
                _ => None,
            };
        }
        None
    }

    /// The text that an expression is known to be.
    fn text(&mut self, expr: &'p Expr) -> Option<String> {
        if let ExprKind::Str { text, .. } = &expr.kind {
            return Some(text.clone());
        }
        let place = self.place()?;
        match self.schemas.constant(self.ev, expr, &place) {
            Value::Str(text) => Some(text.to_string()),
            _ => None,
        }
    }
}

/// A value that stands for one that is not there.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Record(items) => items.is_empty(),
        ExprKind::None | ExprKind::Str { .. } | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Float(_) => true,
        ExprKind::List(items) => items.is_empty(),
        ExprKind::Cast { value, .. } => is_plain(value),
        _ => false,
    }
}
