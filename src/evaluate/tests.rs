//! What names stand for: across files, through functions.

use super::{Evaluator, ModuleId, ProgramIndex, Specifiers};
use crate::languages::{Language, lower};
use crate::model::program::Module;
use crate::text::FileId;
use crate::wires;

/// What each of these names of the first file stands for, as a message would say it.
fn named(files: &[(&str, &str)], names: &[&str]) -> Vec<String> {
    let modules: Vec<Module> = files
        .iter()
        .enumerate()
        .map(|(at, (path, text))| {
            let language = Language::by_path(path).expect("a language by its extension");
            lower(language, FileId(at as u32), path, text).0
        })
        .collect();
    let ids: Vec<ModuleId> = (0..modules.len() as u32).map(ModuleId).collect();
    let index = ProgramIndex::new(&modules, &[], Specifiers::default(), wires::libraries(), &[]);
    let mut evaluator = Evaluator::new(&modules, &index, Vec::new());
    evaluator.run(&ids);
    let value = |name: &&str| evaluator.module_name(ModuleId(0), name).map_or("nothing".to_owned(), |it| it.describe());
    names.iter().map(value).collect()
}

/// The same for a program of one file.
fn python(text: &str, names: &[&str]) -> Vec<String> {
    named(&[("app.py", text)], names)
}

#[test]
fn names_are_found_in_other_modules() {
    let main = "
from shop.api import PREFIX, settings as other
from shop import api, VERSION
from shop.api.settings import *
import shop.api.settings as s
a = PREFIX + '/x'
b = api.PREFIX
c = other.NAME
d = NAME
e = s.NAME
f = VERSION
";
    let files = [
        ("main.py", main),
        ("shop/__init__.py", "from .api import VERSION\n"),
        (
            "shop/api/__init__.py",
            "from . import settings\nfrom .settings import VERSION\nPREFIX = '/' + settings.NAME\n",
        ),
        ("shop/api/settings.py", "NAME = 'shop'\nVERSION = 2\n_HIDDEN = 1\n"),
    ];
    let expected = [r#""/shop/x""#, r#""/shop""#, r#""shop""#, r#""shop""#, r#""shop""#, "2"];
    assert_eq!(named(&files, &["a", "b", "c", "d", "e", "f"]), expected);
    assert_eq!(named(&files, &["_HIDDEN"]), ["nothing"], "a star takes no private names");
}

#[test]
fn modules_that_import_each_other_are_read() {
    let files = [
        ("one.py", "import two\nA = 'a'\nfrom two import B\nC = B\n"),
        ("two.py", "import one\nB = 'b'\ndef later():\n    return one.A\n"),
    ];
    assert_eq!(named(&files, &["A", "C"]), [r#""a""#, r#""b""#]);
}

#[test]
fn what_is_not_there_leads_outside() {
    assert_eq!(
        python("from package.part import thing\nimport other as o\na = o.b\n", &["thing", "a", "none"]),
        ["package.part.thing", "other.b", "nothing"]
    );
}

#[test]
fn paths_and_what_they_export_are_followed() {
    let main = "
import named, { PREFIX as p } from './lib';
import * as all from './lib/index.js';
export const a = p + '/x';
export const b = all.default;
export const c = named;
export const d = all.again;
";
    let files = [
        ("main.ts", main),
        ("lib/index.ts", "export { PREFIX } from './deep';\nexport * from './more';\nexport default 'whole';\n"),
        ("lib/deep.ts", "export const PREFIX = '/deep';\n"),
        ("lib/more.ts", "export const again = 1;\n"),
    ];
    assert_eq!(named(&files, &["a", "b", "c", "d"]), [r#""/deep/x""#, r#""whole""#, r#""whole""#, "1"]);
}

#[test]
fn functions_are_run_with_what_they_are_given() {
    let text = "
def join(head, *rest, end='.', **more):
    return head + '/' + '/'.join(rest) + end + more.get('tail', '')

def outer(name):
    def inner(part):
        return f'{name}-{part}'
    return inner

class Settings:
    prefix = '/v1'
    def __init__(self, name):
        self.name = name
    def path(self):
        return self.prefix + '/' + self.name

a = join('x', 'y', 'z')
b = join('x', end='!', tail='?')
c = outer('n')('p')
d = Settings('users').path()
e = (lambda n=2: n + 1)()
";
    let expected = [r#""x/y/z.""#, r#""x/!?""#, r#""n-p""#, r#""/v1/users""#, "3"];
    assert_eq!(python(text, &["a", "b", "c", "d", "e"]), expected);
}

#[test]
fn a_function_that_calls_itself_ends() {
    let [value] = &python("def f(n):\n    return f(n + 1)\nx = f(0)\n", &["x"])[..] else { panic!("one value") };
    assert!(value.starts_with("unknown"), "{value}");
}

#[test]
fn what_is_decided_already_has_one_value() {
    let text = "
import sys
DEBUG = False
a = 'x' if DEBUG else 'y'
if not DEBUG and 1 < 2:
    b = 'x'
else:
    b = 'y'
for item in ('x', 'y'):
    c = item
try:
    d = 'x'
except ValueError:
    d = 'y'
e = {'k': 'x', 'l': 'y'}['k']
def choose(kind):
    if kind == 'k':
        return 'x'
    return 'y'
f = choose('k')
if sys.version_info >= (3, 0):
    g = 'x'
else:
    g = 'y'
for item in ('x', 'y'):
    if item == 'x':
        h = item
        break
else:
    h = 'z'
";
    let expected = [r#""y""#, r#""x""#, r#""y""#, r#""x""#, r#""x""#, r#""x""#, r#""x""#, r#""x""#];
    assert_eq!(python(text, &["a", "b", "c", "d", "e", "f", "g", "h"]), expected);
}

fn javascript(text: &str, names: &[&str]) -> Vec<String> {
    named(&[("app.js", text)], names)
}

/// The alternatives of a name, in any order.
fn alternatives(text: &str, is_python: bool) -> Vec<String> {
    let found = if is_python { python(text, &["x"]) } else { javascript(text, &["x"]) };
    let mut parts: Vec<String> = found[0].split(" or ").map(str::to_owned).collect();
    parts.sort();
    parts.dedup();
    parts
}

const BOTH: [&str; 2] = [r#""a""#, r#""b""#];

#[test]
fn every_way_of_choosing_makes_alternatives_in_python() {
    for text in [
        "if os.environ.get('X'):\n    x = 'a'\nelse:\n    x = 'b'\n",
        "x = 'b'\nif os.environ.get('X'):\n    x = 'a'\n",
        "try:\n    import nowhere\n    x = 'a'\nexcept ImportError:\n    x = 'b'\n",
        "match os.environ.get('X'):\n    case 'one':\n        x = 'a'\n    case _:\n        x = 'b'\n",
        "x = 'b'\nfor _ in os.environ:\n    x = 'a'\n",
        "x = 'a' if os.environ.get('X') else 'b'\n",
        "def f():\n    if os.environ.get('X'):\n        return 'a'\n    return 'b'\nx = f()\n",
        "x = os.environ.get('X') and 'a' or 'b'\n",
        "x = {'one': 'a'}.get(os.environ.get('X'), 'b')\n",
        "x = {True: 'a', False: 'b'}[bool(os.environ.get('X'))]\n",
        "x = ('b', 'a')[os.environ.get('X') == '1']\n",
        "class C:\n    if os.environ.get('X'):\n        v = 'a'\n    else:\n        v = 'b'\nx = C.v\n",
        "for k in ('X', 'Y'):\n    if k in os.environ:\n        x = 'a'\n        break\nelse:\n    x = 'b'\n",
        "def f(kind):\n    if kind == 'one':\n        return 'a'\n    return 'b'\nx = f(os.environ.get('X', 'two'))\n",
        "def f(on=False):\n    return 'a' if on else 'b'\nx = f(on=bool(os.environ.get('X')))\n",
        "x = 'b'\nwhile os.environ.get('X'):\n    x = 'a'\n    break\n",
    ] {
        assert_eq!(alternatives(&format!("import os\n{text}"), true), BOTH, "{text}");
    }
}

#[test]
fn every_way_of_choosing_makes_alternatives_in_javascript() {
    for text in [
        "let x; if (process.env.X) { x = 'a'; } else { x = 'b'; }",
        "let x = 'b'; if (process.env.X) x = 'a';",
        "const x = process.env.X ? 'a' : 'b';",
        "let x; switch (process.env.X) { case 'one': x = 'a'; break; default: x = 'b'; }",
        "function f() { if (process.env.X) return 'a'; return 'b'; } const x = f();",
        "const x = (process.env.X && 'a') || 'b';",
        "let x = 'b'; for (const k of Object.keys(process.env)) { x = 'a'; }",
        "const x = (() => { if (process.env.X) { return 'a'; } return 'b'; })();",
        "let x; try { require('nowhere'); x = 'a'; } catch { x = 'b'; }",
        "const x = { one: 'a' }[process.env.X] || 'b';",
        "class C { static v = process.env.X ? 'a' : 'b'; } const x = C.v;",
    ] {
        assert_eq!(alternatives(text, false), BOTH, "{text}");
    }
}

#[test]
fn what_hangs_on_one_condition_stays_together() {
    let text = "
import os
FLAG = bool(os.environ.get('X'))
if FLAG:
    p, m = '/a', 'A'
else:
    p, m = '/b', 'B'
x = p + m
";
    assert_eq!(alternatives(text, true), [r#""/aA""#, r#""/bB""#]);
}

#[test]
fn more_alternatives_than_can_be_told_are_unknown() {
    let text = "import os\nx = ''\n".to_owned()
        + &(0..5).map(|n| format!("if os.environ.get('X{n}'):\n    x += '{n}'\n")).collect::<Vec<_>>().concat();
    let found = alternatives(&text, true);
    assert!(found.len() <= 8 && found.iter().any(|it| it.starts_with("unknown")), "{found:?}");
}
