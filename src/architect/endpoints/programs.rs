//! Endpoints in lines of programs and of shells: `router.get('/orders', list)`, `@PostMapping("/orders")`, `curl -X POST …`.

use super::marked::LONGEST;
use super::{METHODS, template};

/// What routes of programs are added to.
#[rustfmt::skip]
const ROUTERS: &[&str] = &[
    "app", "router", "server", "api", "route", "routes", "r", "e", "mux", "bp", "blueprint", "group", "web",
];

/// A route that a program adds, of each line that adds one, with the number of the line among the lines of the text.
pub(super) fn routes(text: &str) -> Vec<(u32, (String, String))> {
    let annotated = text.contains("google.api.http");
    let of_line = |line| route(line).or_else(|| annotation(line).filter(|_| annotated));
    (0..).zip(text.lines()).filter_map(|(at, line)| Some((at, of_line(line)?))).collect()
}

/// `app.post("/orders", create)`, `Route::get('/orders')`, `@router.delete("/orders/{id}")`, `@GetMapping("/orders")`.
fn route(line: &str) -> Option<(String, String)> {
    let (call, given) = line.split_once('(')?;
    let given = given.trim_start();
    let quote = given.chars().next().filter(|it| ['"', '\'', '`'].contains(it))?;
    let path = given[1..].split(quote).next().filter(|it| it.starts_with('/') && it.len() <= LONGEST)?;
    let name = call.trim().rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
    let before = call.trim().strip_suffix(name)?;
    let receiver = before.trim_end_matches(['.', ':']);
    let receiver = receiver.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
    // `@GetMapping` of Spring, `app.MapGet` of ASP.NET
    let annotates = before.ends_with('@') && name.ends_with("Mapping");
    let bare = name.strip_suffix("Mapping").filter(|_| annotates).or_else(|| name.strip_prefix("Map")).unwrap_or(name);
    let method = bare.to_ascii_uppercase();
    let lower = receiver.to_ascii_lowercase();
    let adds = ROUTERS.iter().any(|it| lower == *it || it.len() > 2 && lower.ends_with(it));
    (METHODS.contains(&method.as_str()) && (annotates || adds)).then(|| (method, template(path)))
}

/// `get: "/v1/orders"` in an annotation of an RPC
fn annotation(line: &str) -> Option<(String, String)> {
    let (before, path) = line.split_once(": \"/")?;
    let name = before.rsplit(|c: char| !c.is_alphanumeric()).next()?.to_ascii_uppercase();
    let path = path.split('"').next().filter(|it| it.len() <= LONGEST)?;
    METHODS.contains(&name.as_str()).then(|| (name, template(&format!("/{path}"))))
}

/// What a command of `curl` asks for.
pub(super) struct Command<'t> {
    /// The number of the line among the lines of the text.
    pub(super) line: u32,
    pub(super) endpoint: (String, String),
    pub(super) sent: Option<&'t str>,
}

/// The commands of a text that ask an address of the reader's own program: below a variable, on this machine, or below `/api`.
pub(super) fn commands(text: &str) -> Vec<Command<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut line = 0;
    while !rest.is_empty() {
        let length = whole(rest);
        let (said, after) = rest.split_at(length);
        found.extend(command(said, line));
        line += said.matches('\n').count() as u32;
        rest = after;
    }
    found
}

/// The length of the first command: a line, with the lines that it goes on in.
fn whole(text: &str) -> usize {
    let mut end = 0;
    let mut quotes = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        quotes += line.matches('\'').count();
        if !line.trim_end().ends_with('\\') && quotes.is_multiple_of(2) {
            break;
        }
    }
    end
}

fn command(said: &str, line: u32) -> Option<Command<'_>> {
    let call = said.trim_start().trim_start_matches("$ ").strip_prefix("curl ")?;
    let sent = ["-d '", "--data '", "--data-raw '", "-d \"", "--json '"]
        .iter()
        .find_map(|it| Some(&call[call.find(it)? + it.len()..]));
    let tokens: Vec<&str> = call.split_whitespace().map(|it| it.trim_matches(['\'', '"'])).collect();
    let named = tokens.iter().enumerate().find_map(|(at, it)| {
        let behind = ["-X", "--request"].contains(it).then(|| tokens.get(at + 1).copied()).flatten();
        behind.or_else(|| it.strip_prefix("-X")).filter(|it| METHODS.contains(it))
    });
    let method = named.unwrap_or(if sent.is_some() { "POST" } else { "GET" });
    let path = tokens.iter().find_map(|it| path_of(it).filter(|path| path.len() > 1))?;
    let endpoint = (method.to_owned(), template(&anonymous(path)));
    Some(Command { line, endpoint, sent })
}

/// The path in an address of the reader's own program: `$API/orders`, `http://localhost:80/orders`, `https://shop.example/api/orders`.
fn path_of(address: &str) -> Option<&str> {
    let rest = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"));
    let address = rest.unwrap_or(address);
    let (host, _) = address.split_once('/')?;
    let path = &address[host.len()..];
    let own = host.starts_with('$')
        || host.starts_with("{{")
        || host.starts_with("localhost")
        || host.starts_with("127.0.0.1")
        || rest.is_some() && (host.contains("example") || path.starts_with("/api/") || host.starts_with("api."));
    own.then_some(path)
}

/// A path with a parameter for each segment that is the number of a thing: `/loans/87` asks for one of the loans.
fn anonymous(path: &str) -> String {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let segments = path.split('/').map(|it| {
        let is_version = it.strip_prefix('v').is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()));
        let counts = it.contains(|c: char| c.is_ascii_digit()) && !it.starts_with(['{', ':', '$']) && !is_version;
        if counts || it.starts_with('$') { "{id}" } else { it }
    });
    segments.collect::<Vec<_>>().join("/")
}
