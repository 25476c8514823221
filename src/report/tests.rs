//! Reports of hand-built runs: every format, with awkward text in every place that foreign text can reach.

use serde_json::Value;
use std::collections::BTreeSet;

use super::{Format, RuleCard, Style, json, sarif, write};
use crate::finding::{ContractPlace, Finding, Fix, Label, Problem, ProblemKind, Safety, Severity};
use crate::project::Project;
use crate::scan::{
    ContractSummary, EventSummary, Report, RequestSummary, ServiceSummary, Summary, Suppressed, Suppression,
    SuppressionKind,
};
use crate::text::{FileId, SourceFile, Sources, Span};

const CODE: &str = "app/routers/books.py";
const CONTRACT: &str = "contracts/openapi.yaml";

fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.add(SourceFile::new(
        CODE,
        "from fastapi import APIRouter\r\n\r\nclass Book(BaseModel):\r\n\ttitle: str  # 世界\r\n\tpages: str\r\n",
    ));
    sources.add(SourceFile::new(
        CONTRACT,
        "openapi: 3.1.0\npaths:\n  /books/{id}:\n    get:\n      responses: {}\n  /authors:\n    get: {}\n",
    ));
    sources
}

fn span(sources: &Sources, file: u32, text: &str) -> Span {
    let file = FileId(file);
    let start = sources.get(file).text.find(text).expect("the text is in the file");
    Span::new(file, start, start + text.len())
}

fn finding(sources: &Sources) -> Finding {
    Finding {
        rule: "CONTRACT-001".into(),
        name: "response-schema-mismatch".into(),
        kind: "type",
        severity: Severity::Error,
        message: "`GET /books/{id}` answers with a string where the contract promises an integer in `items[].pages`"
            .into(),
        help: Some("change the type of `pages` or the contract".into()),
        span: span(sources, 0, "pages: str"),
        label: "a string".into(),
        related: vec![Label { span: span(sources, 1, "/books/{id}"), text: "promised here".into() }],
        operation: Some("GET /books/{id}".into()),
        operations: vec!["GET /books/{id}".into(), "GET /books".into()],
        field: Some("items[].pages".into()),
        contract: Some(ContractPlace { span: span(sources, 1, "/books/{id}"), pointer: "/paths/~1books~1{id}".into() }),
        fixes: vec![Fix::of_code(
            "declare `pages` as an integer",
            Safety::Unsafe,
            span(sources, 0, "pages: str"),
            "pages: int",
        )],
        values: Vec::new(),
        fingerprint: "0123456789abcdef".into(),
        key: "0123".into(),
    }
}

fn missing(sources: &Sources) -> Finding {
    let place = span(sources, 1, "/authors");
    Finding {
        rule: "CONTRACT-002".into(),
        name: "missing-endpoint".into(),
        kind: "missing",
        severity: Severity::Warning,
        message: "no route serves `GET /authors`".into(),
        help: None,
        span: place,
        label: "promised here".into(),
        related: Vec::new(),
        operation: Some("GET /authors".into()),
        operations: vec!["GET /authors".into()],
        field: None,
        contract: Some(ContractPlace { span: place, pointer: "/paths/~1authors".into() }),
        fixes: Vec::new(),
        values: Vec::new(),
        fingerprint: "fedcba9876543210".into(),
        key: "fedc".into(),
    }
}

fn report(sources: Sources, findings: Vec<Finding>, problems: Vec<Problem>) -> Report {
    let events = vec![EventSummary {
        contract: "events.yaml".into(),
        channels: 3,
        messages: 5,
        operations: 1,
        services: vec!["shop".into()],
    }];
    let services = vec![ServiceSummary {
        service: "shop".into(),
        frameworks: vec!["FastAPI".into()],
        unsupported: vec!["Sanic".into()],
        routes: 12,
        unread: 1,
        not_verifiable: vec![("response type unknown".into(), 2)],
    }];
    let contracts = vec![ContractSummary {
        contract: CONTRACT.into(),
        service: "bookshop".into(),
        contracted: 20,
        found: 19,
        verified: 16,
        requests_verified: 12,
        named: false,
        unread: 0,
        not_verifiable: vec![("response type unknown".into(), 2), ("budget exhausted".into(), 1)],
        ignored: 1,
        null_unchecked: Some("it states null nowhere"),
    }];
    let project = Project { sources, ..Project::default() };
    let elapsed = std::time::Duration::from_millis(12);
    let requests = vec![RequestSummary {
        service: "books".into(),
        made: 7,
        elsewhere: 2,
        unresolved: vec![(Span::new(FileId(0), 0, 1), "parameter of a function that nothing calls".into())],
    }];
    Report {
        project,
        findings,
        problems,
        summary: Summary { files: 2, bytes: 300, services, contracts, events, requests, elapsed, ..Summary::default() },
        suppressed: Vec::new(),
        suppressions: crate::scan::Suppressions::default(),
        scope: crate::scan::Scope::default(),
        here: String::new(),
        base: std::path::PathBuf::new(),
        now: BTreeSet::new(),
        unasked: BTreeSet::new(),
        narrowed: None,
        parts: Vec::new(),
    }
}

fn usual() -> Report {
    let sources = sources();
    let findings = vec![finding(&sources), missing(&sources)];
    let problems = vec![
        Problem::at(ProblemKind::SyntaxError, &sources, span(&sources, 0, "class"), "cannot be parsed from here"),
        Problem::new(ProblemKind::InvalidEncoding, "app/old.py", "is not UTF-8").with_help("convert it"),
        Problem::new(ProblemKind::NoContract, "", "nothing was found"),
    ];
    report(sources, findings, problems)
}

fn cards() -> Vec<RuleCard> {
    let card = |code: &str, name: &str, severity| RuleCard {
        code: code.into(),
        name: name.into(),
        severity,
        tier: "default",
        summary: format!("what {name} is about"),
        markdown: format!("# {code}\n\nwhat {name} is about\n"),
    };
    vec![
        card("CONTRACT-001", "response-schema-mismatch", Severity::Error),
        card("CONTRACT-002", "missing-endpoint", Severity::Error),
    ]
}

const PLAIN: Style = Style { colour: false, width: Some(100), quiet: false, full: false };

fn rendered(report: &Report, format: Format) -> String {
    let mut out = Vec::new();
    write(report, &cards(), format, PLAIN, &mut out).expect("memory takes all");
    String::from_utf8(out).expect("reports are UTF-8")
}

fn parsed(report: &Report, format: Format) -> Value {
    serde_json::from_str(&rendered(report, format)).expect("reports are JSON")
}

#[test]
fn text_shows_both_sides_with_right_lines_and_columns() {
    insta::assert_snapshot!(rendered(&usual(), Format::Text));
}

#[test]
fn json_has_every_member() {
    insta::assert_snapshot!(rendered(&usual(), Format::Json));
}

#[test]
fn sarif_has_rules_results_and_notifications() {
    insta::assert_snapshot!(rendered(&usual(), Format::Sarif));
}

#[test]
fn github_has_one_command_a_line() {
    insta::assert_snapshot!(rendered(&usual(), Format::Github));
}

#[test]
fn concise_has_one_line_each() {
    insta::assert_snapshot!(rendered(&known(), Format::Concise));
    insta::assert_snapshot!("statistics", rendered(&known(), Format::Statistics));
}

#[test]
fn markdown_has_tables() {
    insta::assert_snapshot!(rendered(&known(), Format::Markdown));
    insta::assert_snapshot!("markdown_statistics", rendered(&known(), Format::MarkdownStatistics));
}

#[test]
fn junit_has_a_suite_for_each_rule() {
    insta::assert_snapshot!(rendered(&known(), Format::Junit));
}

#[test]
fn gitlab_has_a_list() {
    insta::assert_snapshot!(rendered(&known(), Format::Gitlab));
}

/// The data of a page.
fn on_page(report: &Report) -> Value {
    let page = rendered(report, Format::Html);
    let begin = page.find("id=\"data\">").expect("data") + "id=\"data\">".len();
    let data = &page[begin..begin + page[begin..].find("</script>").expect("an end")];
    assert!(!data.contains('<'), "nothing of it is markup: {data}");
    assert_eq!(page.matches("<script").count(), 2, "data and the page's own script");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn a_page_holds_everything_and_no_foreign_markup() {
    let data = on_page(&known());
    assert_eq!(data["findings"].as_array().map(Vec::len), Some(usual().findings.len()));
    let first = &data["findings"][0];
    assert!(first["code"]["lines"].as_array().is_some_and(|it| !it.is_empty()), "{first}");
    let at = first["code"]["line"].as_u64().zip(first["code"]["first"].as_u64()).map(|(line, first)| line - first);
    assert!(at.is_some_and(|it| it <= 2), "the place stands among its lines: {first}");
    on_page(&hostile());
    on_page(&report(sources(), Vec::new(), Vec::new()));
}

/// A run with a finding that does not count.
fn known() -> Report {
    let mut report = usual();
    let finding = missing(&report.project.sources);
    let place = span(&report.project.sources, 1, "openapi");
    let by = Suppression { kind: SuppressionKind::InSource, place, reason: Some("it comes in June".into()) };
    report.suppressed.push(Suppressed { finding, by });
    report
}

#[test]
fn junit_counts_are_right_and_a_broken_rule_fails() {
    for report in [known(), hostile(), report(sources(), Vec::new(), Vec::new())] {
        let text = rendered(&report, Format::Junit);
        let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let root = document.root_element();
        let all = |name: &str| root.descendants().filter(|it| it.has_tag_name(name)).count();
        for (attribute, element) in [("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")] {
            let told: usize = root.attribute(attribute).and_then(|it| it.parse().ok()).expect("a number");
            let suites = root.children().filter(|it| it.has_tag_name("testsuite"));
            let of_suites = suites.filter_map(|it| it.attribute(attribute)?.parse::<usize>().ok()).sum::<usize>();
            assert_eq!((told, of_suites), (all(element), all(element)), "{attribute}");
        }
        let failing = report.findings.iter().filter(|it| it.severity > Severity::Info).count();
        assert_eq!(all("failure"), failing);
        assert_eq!(all("testsuite"), cards().len() + usize::from(!report.problems.is_empty()));
    }
}

/// What a page would show of Markdown: rows of tables, heads among them, with their text, and everything that is more than text.
#[cfg(feature = "serve")]
fn shown(markdown: &str) -> (Vec<Vec<String>>, Vec<String>) {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let (mut rows, mut more) = (Vec::new(), Vec::new());
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
            Event::Start(Tag::TableCell) if !rows.is_empty() => {
                rows.last_mut().expect("a row").push(String::new());
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(cell) = rows.last_mut().and_then(|row: &mut Vec<String>| row.last_mut()) {
                    cell.push_str(&text);
                }
            }
            Event::InlineHtml(html) if ["<code>", "</code>", "<br>", "<!-- -->"].contains(&&*html) => {}
            Event::Html(html) if html.starts_with("<details>") || html.starts_with("</details>") => {}
            Event::Start(Tag::Table(_) | Tag::TableCell | Tag::Heading { .. } | Tag::HtmlBlock)
            | Event::End(
                TagEnd::Table
                | TagEnd::TableHead
                | TagEnd::TableRow
                | TagEnd::TableCell
                | TagEnd::Heading(_)
                | TagEnd::HtmlBlock,
            ) => {}
            other => more.push(format!("{other:?}")),
        }
    }
    (rows, more)
}

#[cfg(feature = "serve")]
proptest::proptest! {
    #[test]
    fn foreign_text_stays_text_in_markdown(
        words in proptest::collection::vec("[a-z]{0,3}(\\||`|\\\\|\\*\\*|_|~~|<|>|&|\\[x\\]\\(y\\)|<b>|&amp;|!\\[i\\]\\(j\\)|https://e.org|www.e.org|@you|#1|\n|\t|\\$| |ü|<!--|-->)", 0..12)
    ) {
        let foreign = words.concat();
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new(format!("{foreign}.py"), "xyz"));
        let mut finding = missing(&self::sources());
        finding.span = Span::new(file, 0, 1);
        finding.message = foreign.clone();
        finding.rule = foreign.clone();
        finding.help = None;
        let problem = Problem::new(ProblemKind::Unreadable, foreign.clone(), foreign.clone());
        let mut report = report(sources, vec![finding], vec![problem]);
        report.summary.contracts[0].contract = foreign.clone();
        report.summary.contracts[0].service = foreign.clone();
        let text = rendered(&report, Format::Markdown);
        let (rows, more) = shown(&text);
        proptest::prop_assert_eq!(more, Vec::<String>::new(), "{}", text);
        let cells: Vec<usize> = rows.iter().map(Vec::len).collect();
        proptest::prop_assert_eq!(cells, [6, 6, 4, 4, 3, 3], "{}", text);
        // Everything is there, but for the quotes that make code of it, and white space at the ends of a cell.
        let plain = |text: &str| text.replace(['`', ' '], "");
        let visible = plain(&super::visible(&foreign));
        proptest::prop_assert_eq!(plain(&rows[3][3]), visible.clone(), "{}", text);
        proptest::prop_assert_eq!(plain(&rows[1][0]), visible.clone(), "{}", text);
        proptest::prop_assert!(plain(&rows[3][2]).starts_with(&visible), "{}", text);
    }
}

#[cfg(feature = "serve")]
proptest::proptest! {
    #[test]
    fn foreign_text_stays_text_in_a_changelog(
        words in proptest::collection::vec("[a-z]{0,3}(\\||`|\\\\|\\*\\*|_|~~|<|>|&|\\[x\\]\\(y\\)|<b>|&amp;|https://e.org|www.e.org|@you|#1|- |\\+ |1\\. |> |=|\n|\t|    |ü|<!--|-->|<script>)", 0..12)
    ) {
        use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
        let foreign = words.concat();
        let mut finding = missing(&sources());
        finding.message = foreign.clone();
        finding.operations = vec![foreign.clone()];
        let problem = Problem::new(ProblemKind::Unreadable, foreign.clone(), foreign.clone());
        let report = report(sources(), vec![finding], vec![problem]);
        let (mut markdown, mut page) = (Vec::new(), Vec::new());
        super::changelog::write_markdown(&report, &mut markdown).expect("memory takes all");
        super::changelog::write_html(&report, &mut page).expect("memory takes all");
        let (markdown, page) = (String::from_utf8(markdown).expect("text"), String::from_utf8(page).expect("text"));
        let (mut items, mut more) = (0, Vec::new());
        for event in Parser::new_ext(&markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
            match event {
                Event::Start(Tag::Item) => items += 1,
                Event::Start(Tag::Heading { .. } | Tag::Paragraph | Tag::List(None))
                | Event::End(TagEnd::Heading(_) | TagEnd::Paragraph | TagEnd::List(_) | TagEnd::Item)
                | Event::Text(_) | Event::Code(_) => {}
                Event::InlineHtml(html) if ["<code>", "</code>", "<!-- -->"].contains(&&*html) => {}
                other => more.push(format!("{other:?}")),
            }
        }
        proptest::prop_assert_eq!((items, more), (2, Vec::<String>::new()), "{}", markdown);
        let body = &page[page.find("<body").expect("a body")..];
        let known = ["body", "header", "h1", "p", "main", "section", "h2", "h3", "ul", "li", "code", "html"];
        for tag in body.split('<').skip(1) {
            let name = tag.trim_start_matches('/').split([' ', '>']).next().unwrap_or_default();
            proptest::prop_assert!(known.contains(&name), "<{}", tag);
        }
    }
}

#[test]
fn a_clean_run_says_so() {
    let mut clean = report(sources(), Vec::new(), Vec::new());
    let text = rendered(&clean, Format::Text);
    assert!(text.ends_with("clean: no findings in 2 files (12 ms)\n"), "{text}");
    clean.summary.services.clear();
    clean.summary.contracts.clear();
    clean.summary.events.clear();
    clean.summary.requests.clear();
    let text = rendered(&clean, Format::Text);
    assert!(text.starts_with("no contract was compared"), "{text}");
}

#[test]
fn colour_is_used_only_when_asked_for() {
    assert!(!rendered(&usual(), Format::Text).contains('\x1b'));
    let mut out = Vec::new();
    write(&usual(), &cards(), Format::Text, Style { colour: true, ..PLAIN }, &mut out).expect("memory takes all");
    assert!(String::from_utf8_lossy(&out).contains("\x1b["));
}

#[test]
fn quiet_text_has_findings_and_problems_but_no_summary() {
    let mut out = Vec::new();
    write(&usual(), &cards(), Format::Text, Style { quiet: true, ..PLAIN }, &mut out).expect("memory takes all");
    let text = String::from_utf8(out).expect("reports are UTF-8");
    assert!(text.contains("no route serves") && text.contains("invalid-encoding") && !text.contains("contracted"));
}

#[test]
fn json_reports_are_valid_against_their_schema() {
    let schema: Value = serde_json::from_str(json::SCHEMA).expect("the schema is JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is valid");
    for report in [usual(), hostile(), report(sources(), Vec::new(), Vec::new())] {
        let document = parsed(&report, Format::Json);
        let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    let mut wrong = parsed(&usual(), Format::Json);
    wrong["findings"][0]["severity"] = "fatal".into();
    assert!(!validator.is_valid(&wrong), "the schema rejects what it should");
}

#[test]
fn the_schema_lists_every_kind_of_problem() {
    let schema: Value = serde_json::from_str(json::SCHEMA).expect("the schema is JSON");
    let listed = &schema["$defs"]["problem"]["properties"]["kind"]["enum"];
    let names: Vec<&str> = ProblemKind::ALL.into_iter().map(ProblemKind::name).collect();
    assert_eq!(listed, &serde_json::json!(names));
}

#[test]
fn the_schema_lists_every_kind_of_finding() {
    let schema: Value = serde_json::from_str(json::SCHEMA).expect("the schema is JSON");
    let listed = &schema["$defs"]["finding"]["properties"]["kind"]["enum"];
    let rules = crate::rules::RuleSet::embedded();
    let kinds: std::collections::BTreeSet<&str> =
        rules.rules().flat_map(|rule| rule.kinds().map(|(kind, _)| kind).collect::<Vec<_>>()).collect();
    assert_eq!(listed, &serde_json::json!(kinds));
}

/// Foreign text that tries to get out, in every place.
const ATTACK: &str = "\x1b]0;owned\x07\u{202e}x\n::error::forged ##[error]forged \u{9b}31m\r";

fn hostile() -> Report {
    let mut sources = Sources::default();
    let file = sources.add(SourceFile::new(format!("a{ATTACK}.py"), format!("x = '{ATTACK}'\ny = 1\n")));
    let all = Span::new(file, 0, sources.get(file).text.len());
    let mut finding = missing(&self::sources());
    finding.span = all;
    finding.message = ATTACK.into();
    finding.help = Some(format!("{} {ATTACK}", "word ".repeat(30)));
    finding.label = ATTACK.into();
    finding.related = vec![Label { span: Span::new(file, 3, 4), text: ATTACK.into() }];
    finding.operations = vec![ATTACK.into(), ATTACK.into()];
    finding.field = Some(ATTACK.into());
    finding.contract = Some(ContractPlace { span: all, pointer: ATTACK.into() });
    let problem = Problem::new(ProblemKind::Unreadable, format!("b{ATTACK}"), ATTACK).with_help(ATTACK);
    let mut report = report(sources, vec![finding], vec![problem]);
    report.summary.contracts[0].contract = ATTACK.into();
    report.summary.contracts[0].not_verifiable[0].0 = ATTACK.into();
    report
}

#[test]
fn nothing_foreign_reaches_the_output_as_a_command() {
    for format in Format::ALL {
        let text = rendered(&hostile(), format);
        for bad in ['\x1b', '\x07', '\u{202e}', '\u{9b}', '\r'] {
            assert!(!text.contains(bad), "{format:?} lets {bad:?} through");
        }
        assert!(!text.contains("##["), "{format:?} lets an old-style command through");
        for line in text.lines() {
            let ours =
                format == Format::Github && (line.starts_with("::warning file=") || line.starts_with("::notice file="));
            assert!(ours || !line.trim_start().starts_with("::"), "{format:?} lets a command through: {line}");
        }
    }
}

#[test]
fn json_keeps_foreign_text_exactly() {
    let document = parsed(&hostile(), Format::Json);
    assert_eq!(document["findings"][0]["message"], ATTACK);
    assert_eq!(document["findings"][0]["contract"]["pointer"], ATTACK);
}

#[test]
fn long_lines_are_cut_around_their_mark() {
    let mut sources = Sources::default();
    let line = format!("{{{}\"target\":1,{}}}", "\"ä\":1,".repeat(2000), "\"b\":2,".repeat(2000));
    sources.add(SourceFile::new("openapi.json", line));
    let mut finding = missing(&self::sources());
    finding.span = span(&sources, 0, "\"target\"");
    finding.contract = None;
    let text = rendered(&report(sources, vec![finding], Vec::new()), Format::Text);
    assert!(text.contains("[openapi.json:1:12002]"), "{text}");
    assert!(text.contains("\"target\":1") && text.contains('…'));
    assert!(text.lines().all(|line| line.chars().count() < 250), "{text}");
}

#[test]
fn marks_at_the_end_of_a_file_and_in_an_empty_one_are_shown() {
    let mut sources = Sources::default();
    let ends = sources.add(SourceFile::new("ends.py", "a = 1\n"));
    let empty = sources.add(SourceFile::new("empty.yaml", ""));
    let mut finding = missing(&self::sources());
    finding.span = Span::new(ends, 6, 6);
    finding.related = vec![Label { span: Span::new(empty, 0, 0), text: "nothing here".into() }];
    finding.contract = None;
    let text = rendered(&report(sources, vec![finding], Vec::new()), Format::Text);
    assert!(text.contains("ends.py:2:1") && text.contains("empty.yaml:1:1") && !text.contains("Failed"), "{text}");
}

#[test]
fn sarif_keeps_the_most_severe_and_says_what_it_left_out() {
    let sources = sources();
    let mut findings: Vec<Finding> = (0..sarif::MAX_RESULTS).map(|_| missing(&sources)).collect();
    findings.extend((0..10).map(|_| finding(&sources)));
    let log = parsed(&report(sources, findings, Vec::new()), Format::Sarif);
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), sarif::MAX_RESULTS);
    assert_eq!(results.iter().filter(|it| it["level"] == "error").count(), 10);
    let notes = run["invocations"][0]["toolExecutionNotifications"].as_array().expect("notifications");
    assert_eq!(notes.len(), 1);
    assert!(notes[0]["message"]["text"].as_str().expect("text").starts_with("10 findings left out"));
    assert!(!log.to_string().contains("security-severity"));
}

#[test]
fn sarif_uris_are_valid_wherever_a_file_lies() {
    for (path, uri, relative) in [
        ("app/a b/ü:%.py", "app/a%20b/%C3%BC%3A%25.py", true),
        ("/srv/x y.yaml", "file:///srv/x%20y.yaml", false),
        ("C:/srv/x.yaml", "file:///C:/srv/x.yaml", false),
    ] {
        let mut sources = Sources::default();
        let file = sources.add(SourceFile::new(path, "x"));
        let mut finding = missing(&self::sources());
        finding.span = Span::new(file, 0, 1);
        finding.contract = None;
        let log = parsed(&report(sources, vec![finding], Vec::new()), Format::Sarif);
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(place["uri"], uri);
        assert_eq!(place["uriBaseId"] == "%SRCROOT%", relative);
    }
}

#[test]
fn github_properties_and_messages_are_escaped() {
    let mut sources = Sources::default();
    let file = sources.add(SourceFile::new("a,b:c%.py", "xyz"));
    let mut finding = missing(&self::sources());
    finding.span = Span::new(file, 1, 2);
    finding.message = "100% of `a:b`,\nreally".into();
    let text = rendered(&report(sources, vec![finding], Vec::new()), Format::Github);
    assert_eq!(
        text,
        "::warning file=a%2Cb%3Ac%25.py,line=1,endLine=1,col=2,endColumn=2,title=CONTRACT-002 missing-endpoint::100%25 of `a:b`,%0Areally\n"
    );
}

#[test]
fn many_related_places_are_counted() {
    let sources = sources();
    let mut finding = missing(&sources);
    let place = span(&sources, 0, "title");
    finding.related = (0..10).map(|n| Label { span: place, text: format!("place {n}") }).collect();
    let text = rendered(&report(sources, vec![finding], Vec::new()), Format::Text);
    assert!(
        text.contains("place 5") && !text.contains("place 6") && text.contains("4 more places not shown"),
        "{text}"
    );
}

#[test]
fn many_problems_of_a_kind_are_counted() {
    let problems = (0..50).map(|n| Problem::new(ProblemKind::Unreadable, format!("{n}.py"), "no")).collect();
    let text = rendered(&report(sources(), Vec::new(), problems), Format::Text);
    assert!(text.contains("… and 30 more `unreadable`") && text.contains("50 problems"), "{text}");
}
