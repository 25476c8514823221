//! Suppression by comments and contracts: what is taken out, what is not, and what is told of it.

use serde_json::Value;
use treaty::finding::ProblemKind;
use treaty::rules::{RuleSet, Selection};
use treaty::scan::{Input, scan_texts};

use crate::folder::{ITEMS, Run, folder, run};

const CONTRACT: &str = "openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /a:
    get:
      operationId: a
      responses: {'200': {description: fine, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
  /gone:
    get:
      operationId: gone
      responses: {'200': {description: fine}}
components:
  schemas:
    A:
      type: object
      required: [id, name]
      properties:
        id: {type: integer}
        name: {type: string}
";
const TYPESCRIPT: &str = "import { Controller, Get } from '@nestjs/common';

class A {
  id: string;
  name: string;
}

@Controller()
export class Items {
  @Get('a')
  a(): A {
    throw new Error();
  }
}
";
const CSHARP: &str = "using Microsoft.AspNetCore.Mvc;

public class A
{
    public string Id { get; set; } = \"\";
    public string Name { get; set; } = \"\";
}

[ApiController]
public class Items : ControllerBase
{
    [HttpGet(\"/a\")]
    public ActionResult<A> Get() => new A();
}
";

/// Scans a contract and a file of code with the manifest of its language.
fn scanned(contract: &str, name: &str, code: &str, arguments: &[&str]) -> Run {
    let manifest: (&str, &[u8]) = match name.rsplit('.').next() {
        Some("py") => ("requirements.txt", b"fastapi\n"),
        Some("cs") => ("Shop.csproj", b"<Project Sdk=\"Microsoft.NET.Sdk.Web\"></Project>\n"),
        _ => ("package.json", b"{\"name\": \"shop\", \"dependencies\": {\"@nestjs/common\": \"10\"}}\n"),
    };
    let folder = folder([("openapi.yaml", contract.as_bytes()), (name, code.as_bytes()), manifest]);
    run(folder.path(), &[&["scan"], arguments].concat())
}

/// `code` of each finding, of each suppressed finding with its reason, and `kind message` of each problem.
fn told(contract: &str, name: &str, code: &str) -> (Vec<String>, Vec<String>, Vec<String>) {
    let run = scanned(contract, name, code, &["--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stderr));
    let schema: Value = serde_json::from_str(treaty::report::json::SCHEMA).expect("the schema is JSON");
    let validator = jsonschema::draft202012::new(&schema).expect("the schema is valid");
    let wrong: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert_eq!(wrong, [""; 0], "{}", run.stdout);
    let text = |value: &Value| value.as_str().unwrap_or("").to_owned();
    let list = |key: &str| report[key].as_array().cloned().unwrap_or_default();
    let suppressed: Vec<String> = list("suppressed")
        .iter()
        .map(|it| format!("{} {}", text(&it["finding"]["check"]), text(&it["by"]["reason"])).trim_end().to_owned())
        .collect();
    assert_eq!(report["summary"]["suppressed"].as_u64().unwrap_or(0), suppressed.len() as u64);
    let problems =
        list("problems").iter().map(|it| format!("{} {}", text(&it["kind"]), text(&it["message"]))).collect();
    (list("findings").iter().map(|it| text(&it["check"])).collect(), suppressed, problems)
}

fn lists<const A: usize, const B: usize>(
    findings: [&str; A],
    suppressed: [&str; B],
) -> (Vec<String>, Vec<String>, Vec<String>) {
    let own = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect();
    (own(&findings), own(&suppressed), Vec::new())
}

#[test]
fn without_a_comment_everything_counts() {
    for (name, code) in [("app.py", ITEMS), ("items.ts", TYPESCRIPT), ("Items.cs", CSHARP)] {
        let (findings, suppressed, problems) = told(CONTRACT, name, code);
        assert!(findings.contains(&"CONTRACT-001".to_owned()), "{name}: {findings:?} {problems:?}");
        assert!(findings.contains(&"CONTRACT-002".to_owned()), "{name}: {findings:?}");
        assert_eq!((suppressed, problems), (vec![], vec![]), "{name}");
    }
}

#[test]
fn a_comment_suppresses_on_its_line_and_the_line_below() {
    let cases = [
        ("app.py", ITEMS, "    id: str", "#", ""),
        ("items.ts", TYPESCRIPT, "  id: string;", "//", ""),
        ("items.ts", TYPESCRIPT, "  id: string;", "/*", " */"),
        ("Items.cs", CSHARP, "    public string Id { get; set; } = \"\";", "//", ""),
        ("Items.cs", CSHARP, "    public string Id { get; set; } = \"\";", "/*", " */"),
    ];
    for (name, code, line, open, close) in cases {
        let comment = format!("{open} treaty: ignore[CONTRACT-001] clients know{close}");
        let expected = lists(["CONTRACT-002"], ["CONTRACT-001 clients know"]);
        let beside = code.replace(line, &format!("{line}  {comment}"));
        assert_eq!(told(CONTRACT, name, &beside), expected, "{beside}");
        let above = code.replace(line, &format!("    {comment}\n{line}"));
        assert_eq!(told(CONTRACT, name, &above), expected, "{above}");
        let with_more = code.replace(line, &format!("    {comment}\n    {open} and more{close}\n{line}"));
        assert_eq!(told(CONTRACT, name, &with_more), expected, "{with_more}");
        // With a line between, or beside the line above, it is about something else.
        for apart in [format!("    {comment}\n\n{line}"), format!("{line}\n\n    {comment}")] {
            let (findings, suppressed, problems) = told(CONTRACT, name, &code.replace(line, &apart));
            assert!(findings.contains(&"CONTRACT-001".to_owned()) && suppressed.is_empty(), "{apart}: {findings:?}");
            assert_eq!(problems.len(), 1, "{problems:?}");
            assert!(problems[0].starts_with("unused-suppression nothing of `CONTRACT-001`"), "{problems:?}");
        }
    }
}

#[test]
fn a_comment_beside_other_code_is_about_that_code() {
    let code = ITEMS.replace("class A(BaseModel):", "class A(BaseModel):  # treaty: ignore[CONTRACT-001]");
    let (findings, suppressed, problems) = told(CONTRACT, "app.py", &code);
    assert_eq!((findings.len(), suppressed.len(), problems.len()), (2, 0, 1), "{problems:?}");
}

#[test]
fn what_stands_in_a_string_suppresses_nothing() {
    let python =
        ITEMS.replace("    id: str\n", "    \"\"\"\n    # treaty: ignore[CONTRACT-001] no\n    \"\"\"\n    id: str\n");
    let python = python.replace("app = FastAPI()", "app = FastAPI(title=\"# treaty: ignore-file\")");
    let typescript = TYPESCRIPT.replace("class A {\n", "const text = `\n// treaty: ignore-file\n`;\nclass A {\n");
    let csharp = CSHARP.replace("= \"\";", "= \"// treaty: ignore[CONTRACT-001]\";");
    for (name, code) in [("app.py", python), ("items.ts", typescript), ("Items.cs", csharp)] {
        let (findings, suppressed, problems) = told(CONTRACT, name, &code);
        assert!(findings.contains(&"CONTRACT-001".to_owned()), "{code}: {findings:?}");
        assert_eq!((suppressed, problems), (vec![], vec![]), "{code}");
    }
}

#[test]
fn codes_families_and_whole_files() {
    let above =
        |comment: &str| told(CONTRACT, "app.py", &ITEMS.replace("    id: str", &format!("    {comment}\n    id: str")));
    let expected = lists(["CONTRACT-002"], ["CONTRACT-001"]);
    for comment in [
        "# treaty: ignore[CONTRACT]",
        "# treaty: ignore[contract-001]",
        "# noqa: E501 # treaty: ignore[CONTRACT-001]",
        "#treaty:ignore[ CONTRACT-001 ]",
    ] {
        assert_eq!(above(comment), expected, "{comment}");
    }
    for comment in ["# treaty: ignore-file", "# treaty: ignore-file[CONTRACT-001]", "# treaty: ignore-file[CONTRACT]"] {
        assert_eq!(above(comment), expected, "{comment}");
    }
    let (findings, _, problems) = above("# treaty: ignore[CONTRACT-001, CONTRACT-010]");
    assert_eq!(findings, ["CONTRACT-002"]);
    assert_eq!(problems, ["unused-suppression nothing of `CONTRACT-010` is found here: the suppression is not needed"]);
}

#[test]
fn what_cannot_be_understood_is_told_and_suppresses_nothing() {
    for (comment, problem) in [
        ("# treaty: ignore", "it names no rule: nothing is suppressed"),
        ("# treaty: ignore[] because", "it names no rule: nothing is suppressed"),
        ("# treaty: ignore[CONTRACT-001 because", "the list of rules does not end: nothing is suppressed"),
        (
            "# treaty: ingore[CONTRACT-001]",
            "`ingore` is nothing that a comment can say to treaty: nothing is suppressed",
        ),
        (
            "# treaty: ignore-line[CONTRACT-001]",
            "`ignore-line` is nothing that a comment can say to treaty: nothing is suppressed",
        ),
        ("# treaty: ignore[CONTRAKT-001]", "no rule is called `CONTRAKT-001`: nothing is suppressed by that name"),
    ] {
        let code = ITEMS.replace("    id: str", &format!("    {comment}\n    id: str"));
        let (findings, suppressed, problems) = told(CONTRACT, "app.py", &code);
        assert_eq!((findings.len(), suppressed.len()), (2, 0), "{comment}");
        assert_eq!(problems, [format!("invalid-suppression {problem}")], "{comment}");
    }
    for prose in
        ["# treaty: the words of both sides", "# see `# treaty: ignore[CONTRACT-001]`", "# entreaty: ignore[A]"]
    {
        let code = ITEMS.replace("    id: str", &format!("    {prose}\n    id: str"));
        let (findings, suppressed, problems) = told(CONTRACT, "app.py", &code);
        assert_eq!((findings.len(), suppressed.len(), problems.len()), (2, 0, 0), "{prose}: {problems:?}");
    }
}

#[test]
fn a_contract_suppresses_at_operations_schemas_and_as_a_whole() {
    let contract = |at: &str, with: &str| CONTRACT.replace(at, &format!("{at}{with}"));
    for (contract, expected) in [
        // The operation that no route serves.
        (
            contract("operationId: gone\n", "      x-treaty-ignore: [CONTRACT-002]\n"),
            lists(["CONTRACT-001"], ["CONTRACT-002"]),
        ),
        // A schema, whose disagreement is reported in the code.
        (contract("    A:\n", "      x-treaty-ignore: [CONTRACT-001]\n"), lists(["CONTRACT-002"], ["CONTRACT-001"])),
        (
            contract("        id: {type: integer", ", x-treaty-ignore: CONTRACT-001"),
            lists(["CONTRACT-002"], ["CONTRACT-001"]),
        ),
        // The only operation that uses the schema.
        (
            contract("operationId: a\n", "      x-treaty-ignore: [CONTRACT]\n"),
            lists(["CONTRACT-002"], ["CONTRACT-001"]),
        ),
        (
            contract("openapi: 3.1.0\n", "x-treaty-ignore: [CONTRACT-001, CONTRACT-002]\n"),
            lists([], ["CONTRACT-001", "CONTRACT-002"]),
        ),
    ] {
        assert_eq!(told(&contract, "app.py", ITEMS), expected, "{contract}");
    }
    // Another operation has the same schema, and is not ignored.
    let two = contract("operationId: a\n", "      x-treaty-ignore: [CONTRACT-001]\n").replace("  /gone:\n    get:\n      operationId: gone\n      responses: {'200': {description: fine}}", "  /b:\n    get:\n      responses: {'200': {description: fine, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}");
    let code = ITEMS.replace("@app.get(\"/a\")", "@app.get(\"/b\")\n@app.get(\"/a\")");
    let (findings, suppressed, problems) = told(&two, "app.py", &code);
    assert_eq!((findings, suppressed, problems.len()), (vec!["CONTRACT-001".to_owned()], vec![], 1));
    let (_, _, problems) =
        told(&contract("openapi: 3.1.0\n", "x-treaty-ignore: {CONTRACT-001: yes}\n"), "app.py", ITEMS);
    assert_eq!(problems, ["invalid-suppression it is neither a rule nor a list of rules: nothing is suppressed"]);
    let (findings, _, problems) =
        told(&contract("    A:\n", "      x-treaty-ignore: [CONTRACT-010]\n"), "app.py", ITEMS);
    assert_eq!((findings.len(), problems.len()), (2, 1), "{problems:?}");
}

#[test]
fn what_is_not_run_or_not_all_there_is_never_called_unused() {
    let code =
        ITEMS.replace("    id: str", "    # treaty: ignore[CONTRACT-001, CONTRACT-006, XREF-001] known\n    id: str");
    let unused = |arguments: &[&str]| {
        let run = scanned(
            CONTRACT,
            "app.py",
            &code.replace("id: str", "id: int"),
            &[&["--format", "json"], arguments].concat(),
        );
        run.stdout.matches("unused-suppression").count()
    };
    // `CONTRACT-006` has no earlier version to look at, and nobody asks anybody.
    assert_eq!(unused(&[]), 1);
    assert_eq!(unused(&["--ignore", "CONTRACT-001"]), 0);
    assert_eq!(unused(&["--contract", "openapi.yaml"]), 0);
    assert_eq!(unused(&["app.py"]), 0);
}

#[test]
fn suppressed_findings_leave_the_exit_code_alone_and_are_counted() {
    let contract = CONTRACT.replace("openapi: 3.1.0\n", "openapi: 3.1.0\nx-treaty-ignore: [CONTRACT-002]\n");
    let code = ITEMS.replace("    id: str", "    id: str  # treaty: ignore[CONTRACT-001] \u{1b}[31m::error::x");
    let clean = scanned(&contract, "app.py", &code, &[]);
    assert_eq!(clean.code, 0, "{}", clean.stdout);
    assert!(clean.stdout.contains("clean: no findings, 2 suppressed in 2 files"), "{}", clean.stdout);
    assert_eq!(scanned(&contract, "app.py", &code, &["--strict", "--quiet"]).code, 1, "an operation has no route");
    let log = scanned(&contract, "app.py", &code, &["--format", "sarif"]);
    assert!(!log.stdout.contains('\u{1b}'), "{}", log.stdout);
    let log: Value = serde_json::from_str(&log.stdout).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let suppressions: Vec<&Value> = results.iter().map(|it| &it["suppressions"][0]).collect();
    assert_eq!(suppressions.len(), 2);
    assert!(suppressions.iter().all(|it| it["kind"] == "inSource" && it["status"] == "accepted"), "{suppressions:?}");
    assert_eq!(suppressions[0]["justification"], "\\x1b[31m::error::x");
    assert_eq!(suppressions[0]["location"]["physicalLocation"]["region"]["startLine"], 8);
    // All results say it, or none.
    let log = scanned(CONTRACT, "app.py", &code, &["--format", "sarif"]);
    let log: Value = serde_json::from_str(&log.stdout).expect("JSON");
    let said: Vec<usize> = log["runs"][0]["results"]
        .as_array()
        .expect("results")
        .iter()
        .map(|it| it["suppressions"].as_array().map_or(99, Vec::len))
        .collect();
    assert_eq!(said, [0, 1]);
    let github = scanned(CONTRACT, "app.py", &code, &["--format", "github"]);
    assert!(!github.stdout.contains("CONTRACT-001") && github.stdout.contains("CONTRACT-002"), "{}", github.stdout);
}

#[test]
fn versions_and_documents_by_themselves_obey_it_too() {
    let changed =
        CONTRACT.replace("        id: {type: integer}\n", "").replace("required: [id, name]", "required: [name]");
    let ignored = changed.replace("    A:\n", "    A:\n      x-treaty-ignore: [CONTRACT-006]\n");
    let folder = folder([
        ("old.yaml", CONTRACT.as_bytes()),
        ("new.yaml", changed.as_bytes()),
        ("ignored.yaml", ignored.as_bytes()),
    ]);
    assert_eq!(run(folder.path(), &["diff", "old.yaml", "new.yaml"]).code, 1);
    let diff = run(folder.path(), &["diff", "old.yaml", "ignored.yaml"]);
    assert_eq!(diff.code, 0, "{}", diff.stdout);
    assert!(diff.stdout.contains("0 breaking changes") && diff.stdout.contains("1 suppressed"), "{}", diff.stdout);
    let broken = "openapi: 3.1.0\nx-treaty-ignore: [CONTRACT-007]\ninfo: {title: Shop}\npaths: {}\n";
    crate::folder::write(folder.path(), "broken.yaml", broken);
    let validated = run(folder.path(), &["contract", "validate", "broken.yaml"]);
    assert_eq!(validated.code, 0, "{}", validated.stdout);
    assert!(validated.stdout.contains("1 suppressed"), "{}", validated.stdout);
    // A rule of the project's own is a rule there, too.
    let own = broken.replace("CONTRACT-007", "CONTRACT-007, HOUSE-001");
    crate::folder::write(folder.path(), "broken.yaml", own);
    assert_eq!(run(folder.path(), &["contract", "validate", "broken.yaml"]).code, 1, "nobody knows it");
    assert_eq!(run(folder.path(), &["rules", "new", "house/HOUSE-001"]).code, 0);
    crate::folder::write(folder.path(), "treaty.toml", "rules = \"treaty-rules\"\n");
    assert_eq!(run(folder.path(), &["contract", "validate", "broken.yaml"]).code, 0);
}

/// The files of a case, and what its `findings` say: the lines of one `###` of a rule's page.
struct Case {
    title: String,
    files: Vec<(String, String)>,
}

fn cases(page: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    // The fence that is open, with the name of its file.
    let mut open: Option<(String, Option<String>)> = None;
    for line in page.split_once("\n## Cases").map_or("", |(_, cases)| cases).lines() {
        match &mut open {
            Some((fence, _)) if line.trim_end() == fence => open = None,
            Some((_, Some(_))) => {
                let text = &mut cases.last_mut().expect("a file is in a case").files.last_mut().expect("a file").1;
                text.push_str(line);
                text.push('\n');
            }
            Some(_) => {}
            None if line.starts_with("```") => {
                let fence: String = line.chars().take_while(|c| *c == '`').collect();
                let name = line.split_once("title=\"").and_then(|(_, rest)| Some(rest.split_once('"')?.0.to_owned()));
                if let (Some(case), Some(name)) = (cases.last_mut(), &name) {
                    case.files.push((name.clone(), String::new()));
                }
                open = Some((fence, name));
            }
            None => {
                if let Some(title) = line.strip_prefix("### ") {
                    cases.push(Case { title: title.to_owned(), files: Vec::new() });
                }
            }
        }
    }
    cases
}

/// What a run of these files finds that counts and what not, as `CODE path:line`, and how many suppressions are unused.
fn judged(files: &[(String, String)], rules: &RuleSet) -> (Vec<String>, Vec<String>, usize) {
    let settings = files.iter().find(|(path, _)| path == "treaty.toml");
    let config = settings.map(|(path, text)| treaty::config::parse(path, text).expect("settings"));
    let others = files.iter().filter(|(path, _)| path != "treaty.toml");
    let inputs = others.map(|(path, text)| Input { path: path.clone(), text: text.clone() }).collect();
    let mut report = scan_texts(inputs, &config.unwrap_or_default(), rules);
    report.suppress(rules, Some(rules));
    let sources = &report.project.sources;
    let name = |it: &treaty::finding::Finding| format!("{} {}", it.rule, sources.place(it.span));
    let unused = report.problems.iter().filter(|it| it.kind == ProblemKind::UnusedSuppression).count();
    let suppressed = report.suppressed.iter().map(|it| name(&it.finding));
    (report.findings.iter().map(name).collect(), suppressed.collect(), unused)
}

/// Whatever a rule finds in the cases of its page, in whichever language, can be suppressed where it is reported: by a comment
/// above its line, or at the top of its document. Nothing that is in use is called unused.
#[test]
fn every_finding_of_every_case_can_be_suppressed_where_it_is_reported() {
    let (mut in_code, mut in_documents, mut wrong) = (0, 0, Vec::new());
    for rule in RuleSet::embedded().rules() {
        let rules = RuleSet::embedded().select(&Selection::only(std::slice::from_ref(&rule.code))).expect("its code");
        for case in cases(&rule.markdown) {
            let (found, _, _) = judged(&case.files, &rules);
            for finding in &found {
                let (path, line) = finding.split_once(' ').and_then(|(_, at)| at.rsplit_once(':')).expect("a place");
                let line: usize = line.parse().expect("a line");
                let code = &rule.code;
                let mut files = case.files.clone();
                let Some((_, text)) = files.iter_mut().find(|(known, _)| known == path) else { continue };
                let extension = path.rsplit('.').next().unwrap_or("");
                match extension {
                    "py" | "ts" | "tsx" | "js" | "cs" | "vue" => {
                        let sign = if extension == "py" { "#" } else { "//" };
                        let mut lines: Vec<&str> = text.lines().collect();
                        let mut comment = format!("{sign} treaty: ignore[{code}] as the case wants it");
                        if extension == "vue" && lines[line - 1].trim_start().starts_with('<') {
                            comment = format!("<!-- treaty: ignore[{code}] as the case wants it -->");
                        }
                        lines.insert(line - 1, &comment);
                        *text = lines.join("\n") + "\n";
                        in_code += 1;
                    }
                    // Files that are no contracts have comments, where their format has any.
                    "yaml" | "yml" if path.contains("compose") => {
                        let mut lines: Vec<&str> = text.lines().collect();
                        let comment = format!("# treaty: ignore[{code}] as the case wants it");
                        lines.insert(line - 1, &comment);
                        *text = lines.join("\n") + "\n";
                        in_code += 1;
                    }
                    "html" | "css" | "scss" | "svelte" => {
                        let (open, close) = if extension.ends_with("css") { ("/*", "*/") } else { ("<!--", "-->") };
                        let mut lines: Vec<&str> = text.lines().collect();
                        let comment = format!("{open} treaty: ignore[{code}] as the case wants it {close}");
                        lines.insert(line - 1, &comment);
                        *text = lines.join("\n") + "\n";
                        in_code += 1;
                    }
                    "json" if path.ends_with("package.json") => continue,
                    "yaml" | "yml" => {
                        *text = format!("x-treaty-ignore: [{code}]\n{text}");
                        in_documents += 1;
                    }
                    "json" if text.trim_start().starts_with('{') => {
                        *text = text.replacen('{', &format!("{{\"x-treaty-ignore\": [\"{code}\"], "), 1);
                        in_documents += 1;
                    }
                    _ => continue,
                }
                let (left, suppressed, unused) = judged(&files, &rules);
                if suppressed.is_empty() || unused > 0 || left.len() + suppressed.len() != found.len() {
                    wrong.push(format!("{code} ({}): {finding}: left {left:?}, {unused} unused", case.title));
                }
            }
        }
    }
    assert!(in_code > 100 && in_documents > 50, "{in_code} in code, {in_documents} in documents");
    assert_eq!(wrong, [""; 0], "of {in_code} in code and {in_documents} in documents");
}
