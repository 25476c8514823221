"""Small FastAPI programs."""
from program import Program, indent, used
from python_forms import HELPERS, PREAMBLE, bind, bind_known, present, truth

IMPORTS = ["from typing import List, Optional, Union", "from fastapi import APIRouter, FastAPI", "from pydantic import BaseModel"]
MODELS = [
    ["class A(BaseModel):", "    id: int"],
    ["class B(BaseModel):", "    id: str", "    name: str"],
    ["class C(BaseModel):", "    id: int", "    name: Optional[str] = None", "    tags: List[str]"],
    ["class D(BaseModel):", "    total: float", "    done: bool"],
    ["class E(BaseModel):", "    first: A", "    rest: List[B]"],
]
ANSWERS = ["A", "B", "C", "D", "E", "List[A]", "List[B]", "Optional[A]", "Union[A, B]"]


def answer(p):
    return p.rng.choice(ANSWERS)


def two(p, choices="ABCDE"):
    return p.rng.sample(list(choices), 2)


def plain(p, n):
    """Routes of one router, nothing decided."""
    own = p.rng.random() < 0.5
    lines = [f"r{n} = APIRouter(prefix='/s{n}')" if own else f"r{n} = APIRouter()",
             f"@r{n}.get('/all')", f"def all{n}(limit: int = 10) -> List[{p.rng.choice('ABC')}]: ...",
             f"@r{n}.get('/one/{{key}}')", f"def one{n}(key: {p.rng.choice(['int', 'str'])}) -> {answer(p)}: ...",
             f"@r{n}.post('/new', status_code=201, response_model={p.rng.choice('ABC')})",
             f"def new{n}(body: {p.rng.choice('ABC')}): ..."]
    return "plain", lines + [f"app.include_router(r{n})" if own else f"app.include_router(r{n}, prefix='/s{n}')"], True


def chosen_prefix(p, n):
    form, lines = bind(p, f"p{n}", [f"'/s{n}/a'", f"'/s{n}/b'", f"'/s{n}/c'"])
    if p.rng.random() < 0.5:
        lines += [f"r{n} = APIRouter(prefix=p{n})", f"@r{n}.get('/x')", f"def x{n}() -> {answer(p)}: ...", f"app.include_router(r{n})"]
    else:
        lines += [f"r{n} = APIRouter()", f"@r{n}.get('/x')", f"def x{n}() -> {answer(p)}: ...",
                  f"app.include_router(r{n}, prefix=p{n})"]
    return f"prefix chosen: {form}", lines, False


def chosen_model(p, n):
    form, lines = bind(p, f"M{n}", p.rng.sample("ABCDE", 3))
    use = p.rng.choice(["-> M", "response_model", "List", "nested", "body"])
    made = {
        "-> M": [f"@app.get('/s{n}/x')", f"def x{n}() -> M{n}: ..."],
        "response_model": [f"@app.get('/s{n}/x', response_model=M{n})", f"def x{n}(): ..."],
        "List": [f"@app.get('/s{n}/x')", f"def x{n}() -> List[M{n}]: ..."],
        "nested": [f"class W{n}(BaseModel):", f"    inner: M{n}", "", f"@app.get('/s{n}/x')", f"def x{n}() -> W{n}: ..."],
        "body": [f"@app.post('/s{n}/x')", f"def x{n}(body: M{n}) -> A: ..."],
    }[use]
    return f"model chosen ({use}): {form}", lines + made, True


def chosen_both(p, n):
    a, b = two(p)
    form, lines = bind(p, f"p{n}, M{n}", [f"'/s{n}/a', {a}", f"'/s{n}/b', {b}", f"'/s{n}/a', {b}"])
    return f"prefix and model chosen: {form}", [*lines, f"r{n} = APIRouter(prefix=p{n})", f"@r{n}.get('/x')",
                                                f"def x{n}() -> M{n}: ...", f"app.include_router(r{n})"], False


def known(p, n):
    a, b = two(p)
    form, lines = bind_known(p, f"p{n}, M{n}", [f"'/s{n}/a', {a}", f"'/s{n}/b', {b}"])
    return f"known: {form}", [*lines, f"r{n} = APIRouter(prefix=p{n})", f"@r{n}.get('/x')", f"def x{n}() -> M{n}: ...",
                              f"app.include_router(r{n})"], True


def route_present(p, n):
    a, b = two(p)
    route = lambda path, model: [f"@app.get('/s{n}/{path}')", f"def {path}{n}() -> {model}: ..."]
    other = p.rng.choice([[], route("y", b), route("x", b)])
    form, lines = present(p, route("x", a), other)
    what = "" if not other else ", else another model" if "/x" in other[0] else ", else another route"
    return f"route {form}{what}", lines, False


def router_present(p, n):
    lines = [f"r{n} = APIRouter(prefix='/s{n}')", f"@r{n}.get('/x')", f"def x{n}() -> {answer(p)}: ..."]
    form, include = present(p, [f"app.include_router(r{n})"])
    return f"router {form}", lines + include, False


def listed_routers(p, n):
    lines = []
    for part in "ab":
        lines += [f"r{n}{part} = APIRouter(prefix='/s{n}/{part}')", f"@r{n}{part}.get('/x')", f"def x{n}{part}() -> {answer(p)}: ..."]
    kind = p.rng.randrange(4)
    if kind == 0:
        lines += [f"for r in [r{n}a, r{n}b]:", "    app.include_router(r)"]
        return "loop over known routers", lines, True
    if kind == 1:
        lines += [f"routers = [r{n}a]", f"if {truth(p)}:", f"    routers.append(r{n}b)", "for r in routers:", "    app.include_router(r)"]
        return "loop over a list that is appended to in if", lines, False
    if kind == 2:
        lines += [f"for r in [r for r, on in ((r{n}a, True), (r{n}b, {truth(p)})) if on]:", "    app.include_router(r)"]
        return "loop over a list filtered by flags", lines, False
    lines += [f"routers = [r{n}a] + ([r{n}b] if {truth(p)} else [])", "for r in routers:", "    app.include_router(r)"]
    return "loop over a list with a conditional part", lines, False


def loop_paths(p, n):
    if p.rng.random() < 0.5:
        lines = [f"def x{n}() -> {answer(p)}: ...", "for name in ('a', 'b'):", f"    app.add_api_route(f'/s{n}/{{name}}', x{n})"]
        return "loop over known paths", lines, True
    a, b = two(p)
    lines = [f"def make(M):", f"    def x() -> M: ...", "    return x", f"for name, M in {{'a': {a}, 'b': {b}}}.items():",
             f"    app.add_api_route('/s{n}/' + name, make(M), methods=['GET'])"]
    return "loop over a table of models", lines, True


def factory(p, n):
    a, b = two(p)
    lines = ["def make(prefix, model, extra=False):", "    r = APIRouter(prefix=prefix)", "    @r.get('/x')", "    def x() -> model: ...",
             "    if extra:", "        @r.get('/y')", "        def y() -> A: ...", "    return r"]
    kind = p.rng.randrange(3)
    if kind == 0:
        return "factory of routers, constants", [*lines, f"app.include_router(make('/s{n}/a', {a}, True))",
                                                 f"app.include_router(make('/s{n}/b', {b}))"], True
    if kind == 1:
        return "factory of routers, flag", [*lines, f"app.include_router(make('/s{n}/a', {a}, extra=bool({truth(p)})))"], False
    form, chosen = bind(p, f"M{n}", [a, b])
    return f"factory of routers, model chosen: {form}", [*lines, *chosen, f"app.include_router(make('/s{n}/a', M{n}))"], True


def chosen_router(p, n):
    lines = []
    for part in "ab":
        lines += [f"r{n}{part} = APIRouter(prefix='/s{n}/{part}')", f"@r{n}{part}.get('/x')", f"def x{n}{part}() -> {answer(p)}: ..."]
    form, chosen = bind(p, f"r{n}", [f"r{n}a", f"r{n}b"])
    return f"router chosen: {form}", lines + chosen + [f"app.include_router(r{n})"], False


def chosen_handler(p, n):
    a, b = two(p)
    lines = [f"def f{n}() -> {a}: ...", f"def g{n}() -> {b}: ..."]
    form, chosen = bind(p, f"h{n}", [f"f{n}", f"g{n}"])
    return f"handler chosen: {form}", lines + chosen + [f"app.add_api_route('/s{n}/x', h{n})"], False


def chosen_method(p, n):
    form, lines = bind(p, f"m{n}", ["'GET'", "'POST'"])
    return f"method chosen: {form}", [*lines, f"@app.api_route('/s{n}/x', methods=[m{n}])", f"def x{n}() -> {answer(p)}: ..."], False


def fields_present(p, n):
    kind = p.rng.randrange(2)
    if kind == 0:
        lines = [f"class M{n}(BaseModel):", "    id: int", f"    if {truth(p)}:", "        name: str"]
        form = "field in if"
    else:
        form, lines = bind(p, f"Base{n}", p.rng.sample("ABCD", 2))
        lines += [f"class M{n}(Base{n}):", "    extra: bool"]
        form = f"base class chosen: {form}"
    return form, [*lines, "", f"@app.get('/s{n}/x')", f"def x{n}() -> M{n}: ..."], True


def mounted(p, n):
    lines = [f"sub{n} = FastAPI()", f"@sub{n}.get('/x')", f"def x{n}() -> {answer(p)}: ..."]
    if p.rng.random() < 0.4:
        return "application mounted", [*lines, f"app.mount('/s{n}', sub{n})"], True
    if p.rng.random() < 0.5:
        form, chosen = bind(p, f"p{n}", [f"'/s{n}/a'", f"'/s{n}/b'"])
        return f"application mounted, prefix chosen: {form}", [*lines, *chosen, f"app.mount(p{n}, sub{n})"], False
    form, chosen = present(p, [f"app.mount('/s{n}', sub{n})"])
    return f"application mounted {form}", lines + chosen, False


def setting(p, n):
    name = p.rng.choice([f"os.environ.get('PREFIX{n}', '/s{n}/v1')", f"os.getenv('PREFIX{n}') or '/s{n}/v1'"])
    return "prefix from a setting with a default", [f"p{n} = {name}", f"r{n} = APIRouter(prefix=p{n})", f"@r{n}.get('/x')",
                                                    f"def x{n}() -> {answer(p)}: ...", f"app.include_router(r{n})"], True


def unknowable(p, n):
    p.condition("env", [None, "1"])
    p.unknowable.add(n)
    return "loop over the environment, paths of its names", [
        f"def x{n}() -> A: ...", "for name in os.environ:", f"    app.add_api_route(f'/s{n}/{{name}}', x{n})"], False


def router_class(p, n):
    form, lines = bind(p, f"p{n}", [f"'/s{n}/a'", f"'/s{n}/b'"])
    return f"class that owns a router, prefix chosen: {form}", [
        *lines, "class Api:", "    def __init__(self, prefix):", "        self.router = APIRouter(prefix=prefix)",
        "        self.router.add_api_route('/x', self.x, methods=['GET'])", f"    def x(self) -> {answer(p)}: ...", "",
        f"app.include_router(Api(p{n}).router)"], False


PARTS = [plain, chosen_prefix, chosen_model, chosen_both, known, route_present, router_present, listed_routers, loop_paths, factory,
         chosen_router, chosen_handler, chosen_method, fields_present, mounted, setting, router_class]


def wrapped(p, body):
    """The parts below one prefix, which may itself be chosen."""
    kind = p.rng.random()
    if kind < 0.6:
        return body
    inner = [line.replace("app.", "api.") for line in body]
    if any("mount(" in line or "api_route" in line and "@" in line for line in inner):
        return body
    if kind < 0.85:
        return ["api = APIRouter()", *inner, "app.include_router(api, prefix='/api')"]
    form, chosen = bind(p, "base", ["'/api/v1'", "'/api/v2'"])
    p.certain.clear()
    p.forms["base"] = f"everything below a prefix chosen: {form}"
    return ["api = APIRouter()", *inner, *chosen, "app.include_router(api, prefix=base)"]


def make(seed, only=None):
    p = Program("fastapi", seed, only)
    parts = p.build(plain, PARTS, unknowable)
    layout = p.rng.choice(["single", "factory", "modules"])
    head = [*PREAMBLE, *IMPORTS, ""]
    if layout == "modules":
        p.files["service/__init__.py"] = []
        p.files["service/common.py"] = [*head, *used([*HELPERS, *MODELS], [line for _, lines in parts for line in lines])]
        for n, lines in parts:
            p.files[f"service/part{n}.py"] = [*head, "from .common import *", "", "def setup(app):", *indent(lines)]
        names = [n for n, _ in parts]
        p.files["service/main.py"] = [*head, *[f"from .part{n} import setup as setup{n}" for n in names], "", "app = FastAPI()",
                                      *[f"setup{n}(app)" for n in names]]
        p.entry = "service.main"
        return p
    body = wrapped(p, [line for _, lines in parts for line in [*lines, ""]])
    if layout == "factory":
        body = ["def create_app():", "    app = FastAPI()", *indent(body), "    return app", "", "app = create_app()"]
    else:
        body = ["app = FastAPI()", *body]
    p.files["app.py"] = [*head, *used([*HELPERS, *MODELS], body), *body]
    p.entry = "app"
    return p
