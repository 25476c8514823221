//! Which operation a request asks for: of a service of the project, and of a contract.
//!
//! A client seldom says whom it asks: its base address comes from a setting, a proxy adds a prefix or takes one away. So
//! what stands in front of the paths of one client is learnt from all of its requests together, and only then each of
//! them is looked up. Where several could be meant, none is.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::paths::{Found, Paths};
use super::unread::{Seen, is_located, may_serve};
use super::{Project, Service};
use crate::contracts::Declarations;
use crate::model::{HttpCall, Reach, Unread, Url};
use crate::text::{FileId, Span};

/// What a request of a service asks for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Index into [`Project::services`]: who asks.
    pub service: usize,
    /// Index into the requests of that service.
    pub call: usize,
    /// Among the services of the project.
    pub code: Answer,
    /// Among its contracts.
    pub contract: Answer,
}

/// Who answers a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Somebody else.
    Foreign,
    /// That is not known, and why.
    Unknown(&'static str),
    /// Operations of a service or contract; `doubt`: why they may not be those that are asked for.
    Found { of: usize, operations: Vec<usize>, doubt: Option<&'static str> },
    /// One of several operations, of which it is not known which.
    Several { of: usize, operations: Vec<usize> },
    /// The path is there, with other methods.
    OtherMethod { of: usize, operations: Vec<usize>, doubt: Option<&'static str> },
    /// The service or contract that answers the others like it has no such path.
    Missing { of: usize, doubt: Option<&'static str> },
}

impl Answer {
    /// Whether a part of the project answers, or should.
    pub fn is_known(&self) -> bool {
        !matches!(self, Answer::Foreign | Answer::Unknown(_) | Answer::Several { .. })
    }
}

impl Asked {
    /// Why it is not known who answers; `None` where that is known, be it somebody else.
    pub fn unresolved(&self) -> Option<&'static str> {
        match (&self.code, &self.contract) {
            (Answer::Unknown(why), Answer::Unknown(_) | Answer::Several { .. }) => Some(why),
            (Answer::Several { .. }, Answer::Unknown(_) | Answer::Several { .. }) => Some(SEVERAL),
            _ => None,
        }
    }
}

/// An address that belongs to a service, as the configuration says.
#[derive(Clone, Debug)]
pub struct Home {
    /// `https://api.example.com/v1`
    pub url: String,
    /// Index into [`Project::services`].
    pub service: usize,
}

/// Why an operation may not be the one that is asked for.
const GUESSED: &str = "a part of its path is not known";
const SEVERAL: &str = "several operations may be meant";
const BY_ITSELF: &str = "the service looks at paths by itself";
const NEVER_ASKED: &str = "it may never be asked so: a class inherits it, or its callers finish its address";
/// Fewer paths of one file tell nothing about a base that is not known.
const MIN_OF_FILE: usize = 2;
/// Fewer paths of one client tell nothing about the prefix that is put in front of them.
const MIN_OF_ORIGIN: usize = 3;
/// Fewer paths of one client tell too little about a base that is not known.
const MIN_SETTLED: usize = 20;
/// Paths that one must answer more than any other of those that could, where it lacks some of a client's.
const MIN_LEAD: usize = 3;
/// Prefixes that one client may have; the likeliest, of those that agree with a third as many paths as the best one. Where
/// there are more, what none of these answers is unknown.
const MAX_FRONTS: usize = 4;
/// Paths that must agree on it before one prefix stands for another.
const MIN_REPLACED: usize = 5;
/// Services, and contracts, that one path is looked for in; that there are more is told.
pub const MAX_PROVIDERS: usize = 200;

/// What answers: a service or a contract.
struct Provider<'a> {
    /// Index into the services, or the contracts.
    at: usize,
    /// The service behind it, if one is known.
    service: Option<usize>,
    paths: Paths<'a>,
    /// Why something may be served that was not found.
    doubt: Option<&'static str>,
    /// Whether it looks at paths by itself.
    by_itself: bool,
    /// Parts of it that could not be read.
    unread: Vec<&'a Unread>,
    seen: Seen,
}

/// Requests that begin alike: of one service, to one host or below one base that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Client<'a> {
    service: usize,
    host: Option<&'a str>,
    /// Whether paths begin where they begin.
    whole: bool,
    /// Where a base that is not known comes from, as far as that is known.
    origin: Option<Span>,
}

impl<'a> Client<'a> {
    fn of(service: usize, call: &HttpCall, url: &'a Url) -> Self {
        Self { service, host: url.host.as_deref(), whole: url.whole, origin: call.origin }
    }

    /// All of a service whose base is not known.
    fn any_origin(self) -> Self {
        Self { origin: None, ..self }
    }
}

/// What stands in front of the paths of a client, and what of it does not count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Front {
    strip: String,
    add: String,
}

impl Front {
    fn apply(&self, key: &str) -> Option<String> {
        let rest = key.strip_prefix(self.strip.as_str()).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
        let whole = format!("{}{rest}", self.add);
        Some(if whole.is_empty() { "/".to_owned() } else { whole })
    }
}

/// One entry for every request of every service, in order.
pub fn ask(project: &Project, homes: &[Home]) -> Vec<Asked> {
    if project.services.iter().all(|service| service.calls.is_empty()) {
        return Vec::new();
    }
    let services: Vec<Provider> = project
        .services
        .iter()
        .enumerate()
        .filter(|(_, service)| !service.operations.is_empty())
        .map(|(at, service)| of_service(at, service))
        .take(MAX_PROVIDERS)
        .collect();
    let contracts: Vec<Provider> = project
        .contracts
        .iter()
        .enumerate()
        .filter(|(_, contract)| may_answer(contract))
        .map(|(at, contract)| of_contract(at, contract, project))
        .take(MAX_PROVIDERS)
        .collect();
    let code = answers(project, &services, homes);
    let contract = answers(project, &contracts, homes);
    let places = project
        .services
        .iter()
        .enumerate()
        .flat_map(|(service, it)| (0..it.calls.len()).map(move |call| (service, call)));
    let both = code.into_iter().zip(contract);
    places.zip(both).map(|((service, call), (code, contract))| Asked { service, call, code, contract }).collect()
}

/// Whether requests are looked for in a contract: in one that promises operations over HTTP.
pub fn may_answer(contract: &Declarations) -> bool {
    contract.events.is_none() && !contract.operations.is_empty()
}

fn of_service(at: usize, service: &Service) -> Provider<'_> {
    let by_itself = service.unread.iter().any(|it| it.reach == Reach::Anything);
    let doubt = if !service.unsupported.is_empty() {
        Some("a framework of the service is not understood yet")
    } else if by_itself {
        Some(BY_ITSELF)
    } else if service
        .operations
        .iter()
        .any(|it| it.implementation.as_ref().is_some_and(|code| !code.unknown.is_empty()))
    {
        Some("not all prefixes of its routes are known")
    } else {
        None
    };
    let unread = service.unread.iter().filter(|it| is_located(it)).collect();
    let seen = Seen::new(&service.operations);
    let paths = Paths::new(&service.operations, &[String::new()]);
    Provider { at, service: Some(at), paths, doubt, by_itself, unread, seen }
}

fn of_contract<'a>(at: usize, contract: &'a Declarations, project: &Project) -> Provider<'a> {
    let service = project.links.iter().find(|link| link.contract == at && !link.unrelated).map(|link| link.service);
    let mut bases = contract.base_paths.clone();
    if bases.is_empty() {
        bases.push(String::new());
    }
    Provider {
        at,
        service,
        paths: Paths::new(&contract.operations, &bases),
        doubt: None,
        by_itself: false,
        unread: Vec::new(),
        seen: Seen::default(),
    }
}

/// What is known of one request before it is looked up.
struct Question<'a> {
    call: &'a HttpCall,
    client: Client<'a>,
    file: FileId,
    key: String,
    /// The only one that may answer.
    home: Option<usize>,
}

fn answers(project: &Project, providers: &[Provider], homes: &[Home]) -> Vec<Answer> {
    let mut questions: Vec<Result<Question, Answer>> = Vec::new();
    let mut names: FxHashMap<String, usize> = FxHashMap::default();
    for (at, service) in project.services.iter().enumerate() {
        names.entry(letters(&service.name)).or_insert(at);
    }
    for (at, service) in project.services.iter().enumerate() {
        questions.extend(service.calls.iter().map(|call| question(at, call, &names, homes)));
    }
    if providers.is_empty() {
        let nobody = |question| match question {
            Ok(_) => Answer::Unknown("no service or contract of the project is known to answer it"),
            Err(answer) => answer,
        };
        return questions.into_iter().map(nobody).collect();
    }
    let fronts = learn(&questions, providers);
    let looked: Vec<Option<Looked>> = questions
        .iter()
        .map(|question| question.as_ref().ok().map(|question| look(question, providers, &fronts)))
        .collect();
    let known = Known::of(&questions, &looked);
    let settle = |(question, looked): (&Result<Question, Answer>, &Option<Looked>)| match (question, looked) {
        (Ok(question), Some(looked)) => settle(question, looked, providers, &known, &fronts),
        (Err(answer), _) => answer.clone(),
        _ => Answer::Unknown("it was not looked up"),
    };
    questions.iter().zip(&looked).map(settle).collect()
}

fn question<'a>(
    at: usize,
    call: &'a HttpCall,
    names: &FxHashMap<String, usize>,
    homes: &[Home],
) -> Result<Question<'a>, Answer> {
    let url = call.url.as_ref().map_err(|_| Answer::Unknown("its address is not known"))?;
    let file = call.span.file;
    let mut key = url.path.key();
    let home = homes.iter().find(|home| belongs(url, &home.url));
    if let Some(home) = home {
        let base = home.url.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..])).unwrap_or("");
        key = key.strip_prefix(base.trim_end_matches('/')).unwrap_or(&key).to_owned();
        return Ok(Question { call, client: Client::of(at, call, url), file, key, home: Some(home.service) });
    }
    let home = match url.host.as_deref() {
        None => None,
        Some(host) => match place_of(host) {
            Place::Here => None,
            Place::Named(name) => match names.get(&letters(name)) {
                Some(service) => Some(*service),
                None => return Err(Answer::Unknown("its host is a name that no service of the project has")),
            },
            Place::Elsewhere => return Err(Answer::Foreign),
        },
    };
    if !super::paths::is_telling(&key) {
        return Err(Answer::Unknown("its path names nothing"));
    }
    Ok(Question { call, client: Client::of(at, call, url), file, key, home })
}

fn belongs(url: &Url, home: &str) -> bool {
    let Some(host) = &url.host else { return false };
    let whole = format!("{host}{}", url.path.text());
    let home = home.trim_end_matches('/');
    whole.strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

enum Place<'h> {
    /// The machine itself.
    Here,
    /// `http://orders:8080`: a name in a network of one's own.
    Named(&'h str),
    Elsewhere,
}

fn place_of(host: &str) -> Place<'_> {
    let name = host.split_once("://").map_or(host, |(_, rest)| rest);
    let name = name.rsplit('@').next().unwrap_or(name);
    let name = if name.starts_with('[') { name } else { name.split(':').next().unwrap_or(name) };
    match name {
        "localhost" | "127.0.0.1" | "0.0.0.0" | "host.docker.internal" | "" => Place::Here,
        _ if name.starts_with("[::1]") => Place::Here,
        _ if name.contains('.') => Place::Elsewhere,
        _ => Place::Named(name),
    }
}

/// What a service and a host share that goes by its name: `Orders.Api` and `orders-api`.
fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).flat_map(char::to_lowercase).collect()
}

/// Prefixes by client and provider.
type Fronts<'a> = FxHashMap<(Client<'a>, usize), Likely>;

/// What may stand in front of the paths of a client, likeliest first.
struct Likely {
    fronts: Vec<Front>,
    /// More may, which are not tried.
    more: bool,
}

fn learn<'a>(questions: &[Result<Question<'a>, Answer>], providers: &[Provider]) -> Fronts<'a> {
    let mut paths: BTreeMap<Client<'a>, BTreeSet<&str>> = BTreeMap::new();
    for question in questions.iter().flatten() {
        paths.entry(question.client).or_default().insert(&question.key);
        paths.entry(question.client.any_origin()).or_default().insert(&question.key);
    }
    // What few paths say of a prefix, all of the service say better.
    paths.retain(|client, keys| client.origin.is_none() || keys.len() >= MIN_OF_ORIGIN);
    let mut fronts: Fronts<'a> = FxHashMap::default();
    for (client, keys) in &paths {
        for (at, provider) in providers.iter().enumerate() {
            let mut votes: BTreeMap<Front, usize> = BTreeMap::new();
            for key in keys.iter().filter(|key| provider.paths.may_share(key)) {
                if provider.paths.has(key) {
                    *votes.entry(Front::default()).or_default() += 1;
                    continue;
                }
                for add in provider.paths.in_front_of(key) {
                    *votes.entry(Front { strip: String::new(), add: add.to_owned() }).or_default() += 1;
                }
                // Of a path that does not begin where it begins, the first part may stand for a host.
                let may_go = |strip: &str| !strip.contains('{') || (!client.whole && super::paths::is_one_open(strip));
                for (strip, rest) in super::paths::ends(key).filter(|(strip, _)| may_go(strip)) {
                    if provider.paths.has(rest) {
                        *votes.entry(Front { strip: strip.to_owned(), add: String::new() }).or_default() += 1;
                    }
                    // One prefix in the place of another.
                    for add in provider.paths.in_front_of(rest) {
                        *votes.entry(Front { strip: strip.to_owned(), add: add.to_owned() }).or_default() += 1;
                    }
                }
            }
            let mut ranked: Vec<(Front, usize)> = votes.into_iter().collect();
            ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            let least = if keys.len() <= 3 { 1 } else { (keys.len() / 10).max(2) };
            let best = ranked.first().map_or(0, |front| front.1);
            let own = Front::default();
            let is_likely = |front: &Front, votes: usize| {
                let both = !front.strip.is_empty() && !front.add.is_empty();
                *front == own || (votes >= least.max(if both { MIN_REPLACED } else { 0 }) && votes * 3 >= best)
            };
            let likely = ranked.into_iter().filter(|(front, votes)| is_likely(front, *votes));
            let mut likely: Vec<Front> = likely.map(|(front, _)| front).collect();
            let more = likely.len() > MAX_FRONTS;
            likely.truncate(MAX_FRONTS);
            if likely.is_empty() {
                likely.push(own);
            }
            fronts.insert((*client, at), Likely { fronts: likely, more });
        }
    }
    fronts
}

/// What stands in front of a request's path: as its own client says, else as all of the service say.
fn fronts_of<'f, 'a>(fronts: &'f Fronts<'a>, question: &Question<'a>, provider: usize) -> Option<&'f Likely> {
    let own = fronts.get(&(question.client, provider));
    own.or_else(|| fronts.get(&(question.client.any_origin(), provider)))
}

/// What one request met, by provider.
struct Looked {
    /// Index into the providers.
    found: Vec<(usize, Found)>,
    /// Of those, which have its path as the client says it, with nothing put in front.
    as_said: Vec<usize>,
    /// The path, with other methods.
    others: Vec<(usize, Found)>,
}

fn look<'a>(question: &Question<'a>, providers: &[Provider], fronts: &Fronts<'a>) -> Looked {
    let mut looked = Looked { found: Vec::new(), as_said: Vec::new(), others: Vec::new() };
    for (at, provider) in providers.iter().enumerate() {
        if question.home.is_some_and(|home| provider.service != Some(home)) {
            continue;
        }
        let Some(likely) = fronts_of(fronts, question, at) else { continue };
        let keys: Vec<String> = likely.fronts.iter().filter_map(|front| front.apply(&question.key)).collect();
        let method = question.call.method.as_ref().ok().copied();
        if let Some((key, found)) = keys.iter().find_map(|key| Some((key, provider.paths.find(key, method)?))) {
            looked.as_said.extend((*key == question.key).then_some(at));
            looked.found.push((at, found));
        } else if let Some(found) = keys.iter().find_map(|key| provider.paths.find(key, None)) {
            looked.others.push((at, found));
        }
    }
    looked
}

/// Who answers most of the requests of a client, and of a file.
struct Known<'a> {
    clients: FxHashMap<Client<'a>, Tally>,
    files: FxHashMap<(Client<'a>, FileId), Tally>,
}

/// Distinct paths that are asked for.
#[derive(Default)]
struct Tally {
    all: usize,
    /// Those that anybody has.
    met: usize,
    /// By provider, those that it has.
    by: BTreeMap<usize, usize>,
}

impl<'a> Known<'a> {
    fn of(questions: &[Result<Question<'a>, Answer>], looked: &[Option<Looked>]) -> Self {
        let mut known = Known { clients: FxHashMap::default(), files: FxHashMap::default() };
        let mut seen: FxHashSet<(Client<'a>, Option<FileId>, &str)> = FxHashSet::default();
        for (question, looked) in questions.iter().zip(looked) {
            let (Ok(question), Some(looked)) = (question, looked) else { continue };
            let met = || looked.found.iter().chain(&looked.others).map(|(at, _)| *at);
            let count = |tally: &mut Tally| {
                tally.all += 1;
                tally.met += usize::from(met().next().is_some());
                met().for_each(|at| *tally.by.entry(at).or_default() += 1);
            };
            for client in [question.client, question.client.any_origin()] {
                if seen.insert((client, None, &question.key)) {
                    count(known.clients.entry(client).or_default());
                }
            }
            if seen.insert((question.client, Some(question.file), &question.key)) {
                count(known.files.entry((question.client, question.file)).or_default());
            }
        }
        known
    }

    /// Whether nearly all that a client asks below a base that is not known is met: the base can only be this one.
    fn is_settled(&self, question: &Question<'a>) -> bool {
        let Some(Tally { all, by, .. }) = self.clients.get(&question.client.any_origin()) else { return false };
        let most = by.values().max().copied().unwrap_or(0);
        *all >= MIN_SETTLED && most * 10 >= *all * 9
    }

    /// Whether nobody has most of what a client asks for: what stands in front of its paths is then no prefix of those who
    /// have some of them.
    fn leads_elsewhere(&self, question: &Question<'a>) -> bool {
        self.clients.get(&question.client).is_some_and(|tally| tally.met * 2 < tally.all)
    }

    /// The one that answers most of those like this one.
    fn provider(&self, question: &Question<'a>) -> Option<usize> {
        let Client { whole, origin, .. } = question.client;
        let Tally { all, by, .. } = if whole || origin.is_some() {
            self.clients.get(&question.client)?
        } else {
            self.files.get(&(question.client, question.file))?
        };
        if !whole && *all <= MIN_OF_FILE {
            return None;
        }
        let (at, most) = by.iter().max_by_key(|(at, count)| (**count, std::cmp::Reverse(**at)))?;
        let alone = by.iter().all(|(other, count)| other == at || count < most);
        let enough = most * 2 >= *all && (whole || *most >= MIN_OF_FILE);
        (alone && enough).then_some(*at)
    }

    /// The only one that answers all that is asked like this, or much more of it than any other does: of several that
    /// could answer a request, this one does.
    fn only(&self, question: &Question<'a>) -> Option<usize> {
        let Tally { all, by, .. } = self.clients.get(&question.client)?;
        if question.client.host.is_none() && !question.client.whole && question.client.origin.is_none() {
            return None;
        }
        let (at, most) = by.iter().max_by_key(|(at, count)| (**count, std::cmp::Reverse(**at)))?;
        let next = by.iter().filter(|(other, _)| *other != at).map(|(_, count)| *count).max().unwrap_or(0);
        let is_clear = most == all && next < *most || most * 5 >= all * 4 && next + MIN_LEAD <= *most;
        is_clear.then_some(*at)
    }
}

/// Servers seldom ask themselves: below an address that is not known may be another service with the same paths.
fn may_be_another<'a>(question: &Question<'a>, provider: &Provider, known: &Known<'a>) -> Option<&'static str> {
    let is_own = provider.service == Some(question.client.service);
    (is_own && !question.client.whole && !known.is_settled(question))
        .then_some("what stands in front of its path is not known, and may be another service")
}

fn settle<'a>(
    question: &Question<'a>,
    looked: &Looked,
    providers: &[Provider],
    known: &Known<'a>,
    fronts: &Fronts<'a>,
) -> Answer {
    let method_known = question.call.method.is_ok();
    let one = match one_of(&looked.found, providers) {
        Some(Err(why)) => {
            let found = known.only(question).and_then(|only| looked.found.iter().find(|(at, _)| *at == only));
            Some(found.map(|(at, found)| (*at, found)).ok_or(why))
        }
        one => one,
    };
    match one {
        Some(Ok((at, found))) => {
            if found.several {
                return Answer::Several { of: providers[at].at, operations: found.operations.clone() };
            }
            if let Some(why) = may_be_another(question, &providers[at], known) {
                return Answer::Unknown(why);
            }
            if !looked.as_said.contains(&at) && known.leads_elsewhere(question) {
                return Answer::Unknown("most of what is asked like this is answered by nobody that is known");
            }
            let doubt = if !found.sure {
                Some(GUESSED)
            } else if !method_known {
                Some("its method is not known")
            } else {
                question.call.doubt.is_some().then_some(NEVER_ASKED)
            };
            return Answer::Found { of: providers[at].at, operations: found.operations.clone(), doubt };
        }
        Some(Err(why)) => return Answer::Unknown(why),
        None => {}
    }
    let Some(usual) = known.provider(question) else {
        return Answer::Unknown("no service or contract of the project is known to answer it");
    };
    if question.call.doubt.is_some() {
        return Answer::Unknown(NEVER_ASKED);
    }
    let provider = &providers[usual];
    let likely = fronts_of(fronts, question, usual);
    if likely.is_some_and(|likely| likely.more) {
        return Answer::Unknown("more prefixes may stand in front of its path than are tried");
    }
    let fronts = likely.map(|likely| likely.fronts.as_slice()).unwrap_or_default();
    let keys: Vec<String> = fronts.iter().filter_map(|front| front.apply(&question.key)).collect();
    if let Some(why) = may_be_another(question, provider, known) {
        return Answer::Unknown(why);
    }
    let doubt = doubt(question, provider, &keys, known);
    let unread = |key: &String| {
        let method = question.call.method.as_ref().ok().copied();
        provider.unread.iter().any(|it| may_serve(it, &provider.seen, (method, key), ""))
    };
    if keys.iter().any(unread) {
        return Answer::Unknown("a part of the service could not be read");
    }
    if let Some((at, found)) = looked.others.iter().find(|(at, _)| *at == usual) {
        let doubt = doubt.or((!found.sure).then_some(GUESSED));
        if found.several || !method_known {
            return Answer::Unknown(SEVERAL);
        }
        if !found.operations.iter().any(|at| provider.paths.is_telling(*at)) {
            return Answer::Unknown("a route takes any path");
        }
        if provider.by_itself {
            return Answer::Unknown(BY_ITSELF);
        }
        return Answer::OtherMethod { of: providers[*at].at, operations: found.operations.clone(), doubt };
    }
    if is_file(&question.key) {
        return Answer::Unknown("it asks for a file");
    }
    if keys.iter().any(|key| provider.paths.is_below_any_rest(key)) {
        return Answer::Unknown("a route takes any path that begins so");
    }
    Answer::Missing { of: provider.at, doubt }
}

/// The only one, or the only one behind all of them.
fn one_of<'f>(found: &'f [(usize, Found)], providers: &[Provider]) -> Option<Result<(usize, &'f Found), &'static str>> {
    let ((first, it), rest) = found.split_first()?;
    let behind = providers[*first].service;
    let place = |(at, found): &(usize, Found)| providers[*at].paths.place(found);
    let here = place(&found[0]);
    // A part of a service that is a package of its own serves the same routes.
    let same =
        rest.iter().all(|other| (behind.is_some() && providers[other.0].service == behind) || place(other) == here);
    Some(if same { Ok((*first, it)) } else { Err("several services or contracts could answer it") })
}

/// Why a request that nothing serves may be served after all.
fn doubt<'a>(question: &Question<'a>, provider: &Provider, keys: &[String], known: &Known<'a>) -> Option<&'static str> {
    let Client { host, whole, .. } = question.client;
    if !whole && !known.is_settled(question) {
        return Some("what stands in front of its path is not known");
    }
    if host.is_some() && question.home.is_none() {
        return Some("it asks another port of the same machine");
    }
    if keys.iter().all(|key| !provider.paths.shares_beginning(key)) {
        return Some("nothing that begins so is known, so something else may answer it");
    }
    provider.doubt
}

/// `/locales/en.json`
fn is_file(key: &str) -> bool {
    let last = key.rsplit('/').next().unwrap_or("");
    last.rsplit_once('.').is_some_and(|(name, end)| {
        !name.is_empty() && (2..=5).contains(&end.len()) && end.chars().all(|c| c.is_ascii_alphanumeric())
    })
}
