//! Programs that would keep an evaluator busy for ever, or overflow its stack: each ends soon, keeps the routes around
//! the trap, and says where something was given up.

use std::fmt::Write as _;

use crate::folder::{folder, scan, write};

const HEAD: &str = "import enum
import functools
from typing import Generic, Literal, Optional, TypeVar, Union

from fastapi import APIRouter, FastAPI
from pydantic import BaseModel

T = TypeVar('T')
app = FastAPI()


@app.get('/first')
def first() -> str: ...


";
const TAIL: &str = "


@app.get('/last')
def last() -> str: ...
";

/// `line` for each number, `{}` in it replaced by the number and `{+}` by the next one.
fn each(count: usize, line: &str) -> String {
    (0..count).map(|at| line.replace("{}", &at.to_string()).replace("{+}", &(at + 1).to_string())).collect()
}

fn contract(paths: &[&str]) -> String {
    let mut text = "openapi: 3.1.0\ninfo: {title: Trap, version: '1'}\npaths:\n".to_owned();
    for path in paths {
        let _ = writeln!(text, "  {path}:\n    get: {{responses: {{'200': {{description: x}}}}}}");
    }
    text
}

/// Scans a trap; gives the problems. Every path in `found` must be served, besides the first and the last route.
fn survive(trap: &str, more: &[(String, String)], found: &[&str]) -> Vec<String> {
    let folder = folder([]);
    write(folder.path(), "app.py", format!("{HEAD}{trap}{TAIL}"));
    for (path, text) in more {
        write(folder.path(), path, text);
    }
    let paths = [&["/first", "/last"], found].concat();
    write(folder.path(), "openapi.yaml", contract(&paths));
    // Traps serve more than the document has.
    let scan = scan(folder.path(), &["--ignore", "CONTRACT-005"]);
    let missing: Vec<String> = scan.findings();
    assert!(missing.is_empty(), "{missing:?} in {}… {:?}", &trap[..trap.len().min(200)], scan.problems());
    scan.problems()
}

const GIVEN_UP: &[&str] = &["budget-exhausted app.py"];
const NOTHING: &[&str] = &[];

#[test]
fn loops_over_long_lists_end() {
    let list = format!("L = [{}]\n", each(3_000, "{}, "));
    let routes =
        "for a in L:\n    for b in L:\n        for c in L:\n            app.add_api_route(f'/x/{a}/{b}/{c}', first)\n";
    assert_eq!(survive(&format!("{list}{routes}"), &[], &["/x/0/0/0"]), [GIVEN_UP, GIVEN_UP, GIVEN_UP].concat());
    let lists =
        "K = [x for x in L for y in L for z in L for w in L]\nM = [[[(a, b, c) for a in L] for b in L] for c in L]\n";
    assert_eq!(survive(&format!("{list}{lists}"), &[], &[]), [GIVEN_UP, GIVEN_UP].concat());
    let nested = "y = []\nf = 1\nfor a in L:\n    for b in L:\n        y = [y]\n        f = functools.partial(first, f)\ny = f = None\n";
    survive(&format!("{list}{nested}"), &[], &[]);
}

#[test]
fn values_that_double_do_not_fill_the_memory() {
    let trap = format!(
        "s = '/x'\n{}l = [1]\n{}t = (1,)\n{}d = {{'a': 1}}\n{}u = 'ab' * 10**9\nj = ','.join([s] * 10)\n\
         app.add_api_route(s, first)\napp.add_api_route(f'/{{s}}{{s}}', first)\nr = 'aaaaaaaa'\n{}",
        "s = s + s\n".repeat(60),
        "l = l + l\n".repeat(60),
        "t = t + t\n".repeat(50),
        "d = {'a': d, 'b': d}\n".repeat(200),
        "r = r.replace('a', r)\n".repeat(20),
    );
    survive(&trap, &[], &[]);
    let round = "a = []\na.append(a)\nb = []\nb.append(b)\nx = a == b\nd = {}\nd['d'] = d\ne = {'d': d}\ny = d == e\n";
    let twins = format!("m = []\nn = []\n{}q = m == n\n", "m = [m, m]\nn = [n, n]\n".repeat(200));
    assert_eq!(survive(&format!("{round}{twins}"), &[], &[]), NOTHING);
}

#[test]
fn factories_that_call_each_other_end() {
    let trap = "def a(x):
    r = APIRouter(prefix=x)
    r.include_router(b(x + 'a'))
    r.include_router(b(x + 'c'))
    return r


def b(x):
    r = APIRouter(prefix=x)
    r.add_api_route('/q', first)
    r.include_router(a(x + 'b'))
    r.include_router(a(x + 'd'))
    return r


app.include_router(a('/x'))
f = lambda g: g(g)
f(f)


class Own(APIRouter):
    def __init__(self, p):
        super().__init__(prefix=p)
        self.x = Own(p + '/a')
        self.y = Own(p + '/b')
        self.include_router(self.x)
        self.add_api_route('/z', first)


app.include_router(Own('/own'))


class Lazy:
    def __getattr__(self, n):
        return getattr(self, n + 'x')


app.add_api_route(Lazy().path, first)
";
    assert_eq!(survive(trap, &[], &["/x/xa/q", "/own/z"]), NOTHING);
}

#[test]
fn routers_that_mount_each_other_twice_end() {
    let twice = "r{+} = APIRouter(prefix='/p{}')\nr{+}.include_router(r{}, prefix='/a')\nr{+}.include_router(r{}, prefix='/b')\n";
    let trap = format!("r0 = APIRouter()\nr0.add_api_route('/x', first)\n{}app.include_router(r40)\n", each(40, twice));
    assert_eq!(survive(&trap, &[], &[]), GIVEN_UP);
    let round = "r = APIRouter(prefix='/r')\nr.add_api_route('/x', first)\nr.include_router(r)\ns = APIRouter(prefix='/s')\n\
                 s.include_router(r)\nr.include_router(s)\napp.include_router(r)\napp.mount('/m', app)\n";
    assert_eq!(survive(round, &[], &["/r/x"]), NOTHING);
}

#[test]
fn deep_and_tangled_class_hierarchies_end() {
    let deep = format!(
        "class A0(BaseModel):\n    f0: int\n{}@app.get('/deep')\ndef deep() -> A500: ...\n",
        each(500, "class A{+}(A{}):\n    f{+}: int\n")
    );
    assert_eq!(survive(&deep, &[], &["/deep"]), NOTHING);
    let diamonds = format!(
        "class A0(BaseModel):\n    f0: int\nclass B0(BaseModel):\n    g0: int\n{}@app.get('/deep')\ndef deep() -> A60: ...\n",
        each(60, "class A{+}(A{}, B{}):\n    f{+}: int\nclass B{+}(A{}, B{}):\n    g{+}: int\n")
    );
    assert_eq!(survive(&diamonds, &[], &["/deep"]), GIVEN_UP);
    let round = "class A(B): x: int\nclass B(C): y: int\nclass C(A, BaseModel): z: int\nclass D(D): pass\n\
                 @app.get('/a')\ndef a() -> A: ...\n@app.get('/d')\ndef d() -> D: ...\n";
    assert_eq!(survive(round, &[], &["/a", "/d"]), NOTHING);
}

#[test]
fn enumerations_of_thousands_of_members_are_read() {
    let trap = format!(
        "class E(str, enum.Enum):\n{}class F(enum.Enum):\n{}class M(BaseModel):\n    e: E\n    f: F\n{}\
         for x in E:\n    app.add_api_route('/' + x.value, first)\n@app.get('/e')\ndef e() -> M: ...\n",
        each(5_000, "    M{} = 'v{}'\n"),
        each(5_000, "    M{} = enum.auto()\n"),
        each(1_000, "    g{}: Literal[E.M{}]\n"),
    );
    assert_eq!(survive(&trap, &[], &["/e", "/v0"]), GIVEN_UP);
}

#[test]
fn types_that_grow_without_end_end() {
    let generic = format!(
        "class A(BaseModel, Generic[T]):\n    x: 'A[list[T]]'\n    y: T\n\
         class G(BaseModel, Generic[T]):\n    a: 'G[dict[T, T]]'\n    b: 'G[tuple[T, T]]'\n    c: 'G[Union[T, list[T]]]'\n    t: T\n\
         class H(BaseModel, Generic[T]):\n{}class I(BaseModel, Generic[T]):\n{}\
         @app.get('/a')\ndef a() -> A[int]: ...\n@app.get('/g')\ndef g() -> G[int]: ...\n@app.get('/h')\ndef h() -> H[int]: ...\n",
        each(9, "    h{}: 'I[H[dict[str, T]]]'\n"),
        each(9, "    h{}: 'H[I[list[T]]]'\n"),
    );
    survive(&generic, &[], &["/a", "/g", "/h"]);
    let aliases = format!(
        "X0 = int\n{}Y0 = int\n{}class M(BaseModel):\n    x: X100\n    y: Y3000\n    z: {}int{}\n@app.get('/m')\ndef m() -> M: ...\n",
        each(100, "X{+} = Union[X{}, list[X{}], dict[str, X{}]]\n"),
        each(3_000, "Y{+} = list[Y{}]\n"),
        "list[".repeat(150),
        "]".repeat(150),
    );
    survive(&aliases, &[], &["/m"]);
    let chain = format!(
        "{}class C3000(BaseModel):\n    x: int\n@app.get('/c')\ndef c() -> C0: ...\n",
        each(3_000, "class C{}(BaseModel):\n    a: 'C{+}'\n    b: list['C{+}']\n")
    );
    survive(&chain, &[], &["/c"]);
}

#[test]
fn imports_in_circles_and_long_chains_are_followed() {
    let circle: Vec<(String, String)> = (0..300)
        .map(|at| {
            let text = format!(
                "from .m{} import X\nfrom .m{} import Z\nfrom fastapi import APIRouter\nrouter = APIRouter()\n\
                 @router.get('/m{at}')\ndef f() -> X: ...\n",
                (at + 1) % 300,
                (at + 7) % 300
            );
            (format!("m/m{at}.py"), text)
        })
        .chain([("m/__init__.py".to_owned(), String::new())])
        .collect();
    let mounts = each(300, "from m.m{} import router as r{}\napp.include_router(r{})\n");
    assert_eq!(survive(&mounts, &circle, &["/m0", "/m299"]), NOTHING);
    for (import, end) in [("*", "from s import *\n"), ("router", "from s import router\n")] {
        let mut chain: Vec<(String, String)> =
            (0..2_000).map(|at| (format!("s/s{at}.py"), format!("from .s{} import {import}\n", at + 1))).collect();
        let router =
            "from fastapi import APIRouter\nrouter = APIRouter()\n@router.get('/far')\ndef far() -> int: ...\n";
        chain.push(("s/s2000.py".to_owned(), router.to_owned()));
        chain.push(("s/__init__.py".to_owned(), format!("from .s0 import {import}\n")));
        assert_eq!(survive(&format!("{end}app.include_router(router)\n"), &chain, &["/far"]), NOTHING);
    }
    let web: Vec<(String, String)> =
        (0..40).map(|at| (format!("s/s{at}.py"), each(40, "from .s{} import *\n"))).collect();
    survive("from s.s0 import *\nx = nothing\n", &web, &[]);
}

#[test]
fn long_files_of_everything_are_read() {
    let many = each(3_000, "@app.get('/r{}')\ndef r{}() -> int: ...\n");
    assert_eq!(survive(&many, &[], &["/r0", "/r2999"]), NOTHING);
    let names = format!("{}x3000 = '/v'\napp.add_api_route(x0, first)\n", each(3_000, "x{} = x{+}\n"));
    survive(&names, &[], &[]);
    let calls =
        format!("{}def f500(): return '/w'\napp.add_api_route(f0(), first)\n", each(500, "def f{}(): return f{+}()\n"));
    survive(&calls, &[], &[]);
    let table = format!(
        "D = {{{}}}\nE = {{{}}}\nF = {{**D, **D}}\napp.add_api_route('/' + D['k7'], first)\n",
        each(20_000, "'k{}': 'v{}', "),
        each(2_000, "{}: {}, ")
    );
    survive(&table, &[], &["/v7"]);
    let chain = each(2_000, "@deco\n");
    survive(
        &format!(
            "def deco(f):\n    app.add_api_route('/deco', f)\n    return deco(deco(f))\n\n\n{chain}def g() -> int: ...\n"
        ),
        &[],
        &["/deco"],
    );
}
