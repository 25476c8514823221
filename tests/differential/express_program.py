"""Small Express programs in JavaScript."""
import json

from program import Full, Program, indent, pick, used

SHARED = [
    ["const settings = {", *[f"  c{n}: process.env.C{n}," for n in range(4)], "};"],
    ["function enabled(name) {", "  return process.env[name] !== undefined;", "}"],
    ["function oneItem() {", "  return { id: 1, name: 'n' };", "}"],
    ["const ITEMS = [{ id: 1, name: 'n' }, { id: 2, name: 'm' }];"],
]
BODIES = ["{ id: 1 }", "{ id: 'x', name: 'n' }", "{ total: 1.5, done: true }", "{ id: 1, tags: ['a', 'b'] }",
          "{ first: { id: 1 }, rest: [{ id: 'x' }] }", "[{ id: 1, name: 'n' }]", "oneItem()", "{ items: ITEMS }",
          "{ name: 'n', note: null }"]
OBJECTS = BODIES[:5]


def truth(p):
    try:
        name = p.condition("env", [None, "1"])
    except Full:
        it = p.rng.choice([it for it in p.conditions if it["kind"] == "env"] or [None])
        if it is None:
            raise
        return f"process.env.{it['name']}"
    return p.rng.choice([
        f"process.env.{name}", f"process.env.{name} === '1'", f"'{name}' in process.env", f"Boolean(process.env.{name})",
        f"!process.env.{name}", f"!!process.env['{name}']", f"Number(process.env.{name} || '0') > 0", f"enabled('{name}')",
        f"settings.{name.lower()}", f"['1', 'true'].includes(process.env.{name})", f"(process.env.{name} ?? '0') !== '0'",
        f"process.env.{name} !== undefined", f"(process.env.{name} || 'on') === 'on'",
    ])


def _kinds(p):
    return f"process.env.{p.condition('env', [None, 'a', 'b'])}"


def _try(p, n, a):
    module = p.condition("module", [None, "1"])
    return [f"let {n};", "try {", f"  require('{module}');", f"  {n} = {a[0]};", "} catch {", f"  {n} = {a[1]};", "}"]


def _loop(p, n, a, end=()):
    name = p.condition("env", [None, "1"])
    return [f"let {n} = {a[1]};", "for (const key of Object.keys(process.env)) {", f"  if (key === '{name}') {{", f"    {n} = {a[0]};",
            *end, "  }", "}"]


BIND = {
    "if": lambda p, n, a: [f"let {n};", f"if ({truth(p)}) {{", f"  {n} = {a[0]};", "} else {", f"  {n} = {a[1]};", "}"],
    "if over a default": lambda p, n, a: [f"let {n} = {a[1]};", f"if ({truth(p)}) {n} = {a[0]};"],
    "else if": lambda p, n, a: [f"let {n};", f"const kind{n} = {_kinds(p)};", f"if (kind{n} === 'a') {{", f"  {n} = {a[0]};",
                                f"}} else if (kind{n} === 'b') {{", f"  {n} = {a[1]};", "} else {", f"  {n} = {a[-1]};", "}"],
    "switch": lambda p, n, a: [f"let {n};", f"switch ({_kinds(p)}) {{", "  case 'a':", f"    {n} = {a[0]};", "    break;", "  case 'b':",
                               f"    {n} = {a[-1]};", "    break;", "  default:", f"    {n} = {a[1]};", "}"],
    "switch in a function": lambda p, n, a: [f"function choose{n}(kind) {{", "  switch (kind) {", "    case 'a':", f"      return {a[0]};",
                                             "    default:", f"      return {a[1]};", "  }", "}", f"const {n} = choose{n}({_kinds(p)});"],
    "try": _try,
    "early return": lambda p, n, a: [f"function choose{n}() {{", f"  if ({truth(p)}) return {a[0]};", f"  return {a[1]};", "}",
                                     f"const {n} = choose{n}();"],
    "conditional expression": lambda p, n, a: [f"const {n} = {truth(p)} ? {a[0]} : {a[1]};"],
    "conditional expression, nested": lambda p, n, a: [f"const {n} = {truth(p)} ? {a[0]} : {truth(p)} ? {a[1]} : {a[-1]};"],
    "and or": lambda p, n, a: [f"const {n} = ({truth(p)} && {a[0]}) || {a[1]};"],
    "table": lambda p, n, a: [f"const {n} = {{ a: {a[0]}, b: {a[-1]} }}[{_kinds(p)}] || {a[1]};"],
    "table, ??": lambda p, n, a: [f"const {n} = {{ a: {a[0]}, b: {a[-1]} }}[{_kinds(p)}] ?? {a[1]};"],
    "loop over the environment": _loop,
    "loop over the environment, break": lambda p, n, a: _loop(p, n, a, ["    break;"]),
    "function called in place": lambda p, n, a: [f"const {n} = (() => {{", f"  if ({truth(p)}) {{", f"    return {a[0]};", "  }",
                                                 f"  return {a[1]};", "})();"],
    "nested if": lambda p, n, a: [f"let {n} = {a[1]};", f"if ({truth(p)}) {{", f"  if ({truth(p)}) {{", f"    {n} = {a[0]};", "  } else {",
                                  f"    {n} = {a[-1]};", "  }", "}"],
    "class member": lambda p, n, a: [f"class Conf{n} {{", f"  static value = {truth(p)} ? {a[0]} : {a[1]};", "}",
                                     f"const {n} = Conf{n}.value;"],
    "constructor": lambda p, n, a: [f"class Conf{n} {{", "  constructor() {", f"    this.value = {a[1]};", f"    if ({truth(p)}) {{",
                                    f"      this.value = {a[0]};", "    }", "  }", "}", f"const {n} = new Conf{n}().value;"],
    "named argument": lambda p, n, a: [f"const chosen{n} = ({{ flag = false }}) => (flag ? {a[0]} : {a[1]});",
                                       f"const {n} = chosen{n}({{ flag: Boolean({truth(p)}) }});"],
    "member of an object": lambda p, n, a: [f"const conf{n} = {{ value: {a[1]} }};", f"if ({truth(p)}) conf{n}.value = {a[0]};",
                                            f"const {n} = conf{n}.value;"],
    "spread over a default": lambda p, n, a: [f"const conf{n} = {{ value: {a[1]}, ...({truth(p)} ? {{ value: {a[0]} }} : {{}}) }};",
                                              f"const {n} = conf{n}.value;"],
    "assignment ||=": lambda p, n, a: [f"let {n} = {truth(p)} ? {a[0]} : undefined;", f"{n} ||= {a[1]};"],
}
BIND_KNOWN = {
    "constant": lambda p, n, a: [f"const FLAG{n} = true;", f"let {n};", f"if (FLAG{n}) {{", f"  {n} = {a[0]};", "} else {",
                                 f"  {n} = {a[1]};", "}"],
    "constant, not": lambda p, n, a: [f"const DEBUG{n} = false;", f"const {n} = DEBUG{n} ? {a[1]} : {a[0]};"],
    "last of a loop": lambda p, n, a: [f"let {n};", f"for (const it of [{a[1]}, {a[0]}]) {n} = it;"],
    "constant argument": lambda p, n, a: [f"function choose{n}(kind) {{", f"  if (kind === 'a') return {a[0]};", f"  return {a[1]};", "}",
                                          f"const {n} = choose{n}('a');"],
    "known key": lambda p, n, a: [f"const {n} = {{ a: {a[0]}, b: {a[1]} }}['a'];"],
    "known case": lambda p, n, a: [f"const kind{n} = 'a';", f"let {n};", f"switch (kind{n}) {{", "  case 'a':", f"    {n} = {a[0]};",
                                   "    break;", "  default:", f"    {n} = {a[1]};", "}"],
    "assignment ??=": lambda p, n, a: [f"let {n} = {a[0]};", f"{n} ??= {a[1]};"],
    "try, nothing fails": lambda p, n, a: [f"let {n};", "try {", f"  {n} = {a[0]};", "} catch (error) {", f"  {n} = {a[1]};", "}"],
}


def bind(p, name, alts):
    return pick(p.rng, BIND, p, name, alts)


def block(body, by=1):
    return ["  " * by + line if line else line for line in body]


def _else(other):
    return ["} else {", *block(other), "}"] if other else ["}"]


def _p_try(p, b, o):
    return ["try {", f"  require('{p.condition('module', [None, '1'])}');", *block(b), "} catch {", *block(o), "}"]


def _p_loop(p, b, o):
    name = p.condition("env", [None, "1"])
    return [*o, "for (const key in process.env) {", f"  if (key === '{name}') {{", *block(b, 2), "  }", "}"]


PRESENCE = {
    "in if": lambda p, b, o: [f"if ({truth(p)}) {{", *block(b), *_else(o)],
    "in if of if": lambda p, b, o: [f"if ({truth(p)}) {{", f"  if ({truth(p)}) {{", *block(b, 2), *block(_else(o)), "}"],
    "in switch": lambda p, b, o: [f"switch ({_kinds(p)}) {{", "  case 'a':", "  case 'b':", *block(b, 2), "    break;", "  default:",
                                  *block(o, 2), "}"],
    "in try": _p_try,
    "in a function left early": lambda p, b, o: ["(function register() {", f"  if (!({truth(p)})) {{", *block(o, 2), "    return;", "  }",
                                                 *block(b), "})();"],
    "in a loop over the environment": _p_loop,
    "in a loop over flags": lambda p, b, o: [f"for (const [name, on] of [['a', true], ['b', {truth(p)}]]) {{",
                                             "  if (name === 'b' && on) {", *block(b, 2), "  }", "}", *o],
    "in forEach of flags": lambda p, b, o: [f"Object.entries({{ a: false, b: {truth(p)} }}).forEach(([name, on]) => {{",
                                            "  if (!on) return;", *block(b), "});", *o],
    "in a loop, continue": lambda p, b, o: ["for (const name of ['a', 'b']) {", f"  if (name === 'a' || !({truth(p)})) continue;",
                                            *block(b), "}", *o],
    "by a function that is chosen": lambda p, b, o: [f"({truth(p)} ? () => {{", *block(b), "} : () => {", *block(o), "})();"],
    "by a name that is chosen": lambda p, b, o: ["{", "  let setup = () => {", *block(o, 2), "  };", f"  if ({truth(p)}) {{", "    setup = () => {",
                                                 *block(b, 3), "    };", "  }", "  setup();", "}"],
    "after throwing": lambda p, b, o: ["try {", f"  if (!({truth(p)})) throw new Error('off');", *block(b), "} catch (error) {", *block(o), "}"],
    "short circuit": lambda p, b, o: [*o, f"{truth(p)} && (() => {{", *block(b), "})();"],
}


def present(p, body, other=()):
    return pick(p.rng, PRESENCE, p, body, list(other))


def body(p):
    return p.rng.choice(BODIES)


def send(p, value):
    return p.rng.choice([f"res.json({value})", f"res.send({value})", f"res.status(200).json({value})", f"res.status(201).json({value})"])


def handler(p, asynchronous=None):
    """The lines of a function that answers with one body, or with one of two for each request; the last has no semicolon."""
    kind = p.rng.random()
    head = f"{p.rng.choice(['', '', 'async '])}(req, res) => {{"
    if kind < 0.3:
        return [f"(req, res) => {send(p, body(p))}"]
    if kind < 0.5:
        return [head, f"  {send(p, body(p))};", "}"]
    a, b = p.rng.sample(OBJECTS, 2)
    p.queries = ["", "?q=1"]
    if kind < 0.65:
        return [head, "  if (req.query.q) {", f"    return {send(p, a)};", "  }", f"  return {send(p, b)};", "}"]
    if kind < 0.75:
        return [head, "  let result;", "  if (req.query.q) {", f"    result = {a};", "  } else {", f"    result = {b};", "  }", "  res.json(result);", "}"]
    if kind < 0.85:
        return [head, f"  res.json(req.query.q ? {a} : {b});", "}"]
    if kind < 0.93:
        return [head, f"  if (!req.query.q) return res.status(404).json({b});", f"  {send(p, a)};", "}"]
    return [head, "  const result = { id: 1 };", "  if (req.query.q) result.extra = 'x';", "  res.json(result);", "}"]


def route(p, target, method, path, lines=None):
    lines = lines or handler(p)
    return [f"{target}.{method}('{path}', {lines[0]}", *lines[1:-1], f"{lines[-1]});"] if len(lines) > 1 else \
        [f"{target}.{method}('{path}', {lines[0]});"]


def router(p, n, path="/x"):
    return [f"const r{n} = express.Router();", *route(p, f"r{n}", "get", path)]


def plain(p, n):
    return "plain", [f"const r{n} = express.Router();", *route(p, f"r{n}", "get", "/all"), *route(p, f"r{n}", "get", "/one/:key"),
                     *route(p, f"r{n}", "post", "/new", [f"(req, res) => res.status(201).json({p.rng.choice(OBJECTS)})"]),
                     f"app.use('/s{n}', r{n});"], True


def chosen_prefix(p, n):
    form, lines = bind(p, f"p{n}", [f"'/s{n}/a'", f"'/s{n}/b'", f"'/s{n}/c'"])
    if p.rng.random() < 0.3:
        made = route(p, "app", "get", "/x")
        made[0] = made[0].replace("'/x'", p.rng.choice([f"`${{p{n}}}/x`", f"p{n} + '/x'"]))
        return f"path chosen: {form}", lines + made, False
    return f"prefix chosen: {form}", [*lines, *router(p, n), f"app.use(p{n}, r{n});"], False


def chosen_body(p, n):
    form, lines = bind(p, f"v{n}", [f"({it})" for it in p.rng.sample(OBJECTS, 3)])
    use = p.rng.choice([f"res.json(v{n})", f"res.json({{ inner: v{n} }})", f"res.json([v{n}])", f"res.json({{ ...v{n}, more: 1 }})"])
    return f"answer chosen: {form}", [*lines, f"app.get('/s{n}/x', (req, res) => {use});"], True


def chosen_field(p, n):
    form, lines = bind(p, f"v{n}", ["1", "'one'", "[1]"])
    return f"field chosen: {form}", [*lines, f"app.get('/s{n}/x', (req, res) => {{", f"  res.json({{ value: v{n}, done: true }});", "});"], True


def chosen_both(p, n):
    a, b = p.rng.sample(OBJECTS, 2)
    form, lines = bind(p, f"o{n}", [f"{{ p: '/s{n}/a', v: {a} }}", f"{{ p: '/s{n}/b', v: {b} }}", f"{{ p: '/s{n}/a', v: {b} }}"])
    return f"prefix and answer chosen: {form}", [*lines, f"const r{n} = express.Router();", f"r{n}.get('/x', (req, res) => res.json(o{n}.v));",
                                                 f"app.use(o{n}.p, r{n});"], False


def known(p, n):
    a, b = p.rng.sample(OBJECTS, 2)
    form, lines = pick(p.rng, BIND_KNOWN, p, f"o{n}", [f"{{ p: '/s{n}/a', v: {a} }}", f"{{ p: '/s{n}/b', v: {b} }}"])
    return f"known: {form}", [*lines, f"const r{n} = express.Router();", f"r{n}.get('/x', (req, res) => res.json(o{n}.v));",
                              f"app.use(o{n}.p, r{n});"], True


def decided_in_handler(p, n):
    a, b = p.rng.sample(OBJECTS, 2)
    return "condition of the process asked for in a request", [
        f"app.get('/s{n}/x', (req, res) => {{", f"  if ({truth(p)}) return res.json({a});", f"  res.json({b});", "});"], True


def route_present(p, n):
    other = p.rng.choice([[], route(p, "app", "get", f"/s{n}/y"), route(p, "app", "get", f"/s{n}/x")])
    form, lines = present(p, route(p, "app", "get", f"/s{n}/x"), other)
    what = "" if not other else ", else another answer" if "/x'" in other[0] else ", else another route"
    return f"route {form}{what}", lines, False


def router_present(p, n):
    form, include = present(p, [f"app.use('/s{n}', r{n});"])
    return f"router {form}", router(p, n) + include, False


def listed(p, n):
    lines = [*router(p, f"{n}a"), *router(p, f"{n}b")]
    kind = p.rng.randrange(5)
    if kind == 0:
        return "loop over known routers", [*lines, f"for (const [path, r] of [['a', r{n}a], ['b', r{n}b]]) {{",
                                           f"  app.use('/s{n}/' + path, r);", "}"], True
    if kind == 1:
        return "forEach of known routers", [*lines, f"Object.entries({{ a: r{n}a, b: r{n}b }}).forEach(([path, r]) => app.use(`/s{n}/${{path}}`, r));"], True
    if kind == 2:
        return "loop over a list that is pushed to in if", [*lines, f"const found{n} = [['a', r{n}a]];", f"if ({truth(p)}) found{n}.push(['b', r{n}b]);",
                                                            f"for (const [path, r] of found{n}) app.use(`/s{n}/${{path}}`, r);"], False
    if kind == 3:
        return "loop over a list filtered by flags", [
            *lines, f"[{{ path: 'a', r: r{n}a, on: true }}, {{ path: 'b', r: r{n}b, on: {truth(p)} }}]",
            f"  .filter((it) => it.on).forEach((it) => app.use(`/s{n}/${{it.path}}`, it.r));"], False
    return "loop over a list with a conditional part", [
        *lines, f"for (const [path, r] of [['a', r{n}a], ...({truth(p)} ? [['b', r{n}b]] : [])]) app.use(`/s{n}/${{path}}`, r);"], False


def loop_paths(p, n):
    kind = p.rng.randrange(3)
    a, b = p.rng.sample(OBJECTS, 2)
    if kind == 0:
        return "loop over known paths", [f"for (const name of ['a', 'b']) {{", *block(route(p, "app", "get", "/P")), "}"], True
    if kind == 1:
        return "loop over known methods", [f"for (const method of ['get', 'post']) {{", f"  app[method]('/s{n}/x', (req, res) => res.json({a}));", "}"], True
    return "loop over a table of answers", [f"for (const [name, value] of Object.entries({{ a: {a}, b: {b} }})) {{",
                                            f"  app.get(`/s{n}/${{name}}`, (req, res) => res.json(value));", "}"], True


def factory(p, n):
    a, b = p.rng.sample(OBJECTS, 2)
    lines = [f"function make{n}(value, extra = false) {{", "  const r = express.Router();", "  r.get('/x', (req, res) => res.json(value));",
             "  if (extra) {", "    r.get('/y', (req, res) => res.json({ id: 1 }));", "  }", "  return r;", "}"]
    kind = p.rng.randrange(3)
    if kind == 0:
        return "factory of routers, constants", [*lines, f"app.use('/s{n}/a', make{n}({a}, true));", f"app.use('/s{n}/b', make{n}({b}));"], True
    if kind == 1:
        return "factory of routers, flag", [*lines, f"app.use('/s{n}/a', make{n}({a}, Boolean({truth(p)})));"], False
    form, chosen = bind(p, f"v{n}", [f"({a})", f"({b})"])
    return f"factory of routers, answer chosen: {form}", [*lines, *chosen, f"app.use('/s{n}/a', make{n}(v{n}));"], True


def chosen_router(p, n):
    form, chosen = bind(p, f"r{n}", [f"r{n}a", f"r{n}b"])
    return f"router chosen: {form}", [*router(p, f"{n}a", "/x"), *router(p, f"{n}b", "/y"), *chosen, f"app.use('/s{n}', r{n});"], False


def chosen_handler(p, n):
    a, b = handler(p), handler(p)
    lines = [f"const f{n} = {a[0]}", *a[1:], ";", f"const g{n} = {b[0]}", *b[1:], ";"]
    form, chosen = bind(p, f"h{n}", [f"f{n}", f"g{n}"])
    return f"handler chosen: {form}", lines + chosen + [f"app.get('/s{n}/x', h{n});"], False


def chosen_method(p, n):
    form, lines = bind(p, f"m{n}", ["'get'", "'post'"])
    return f"method chosen: {form}", [*lines, f"app[m{n}]('/s{n}/x', (req, res) => {send(p, body(p))});"], False


def chained(p, n):
    return "route with several methods", [f"app.route('/s{n}/x')", f"  .get((req, res) => {send(p, body(p))})",
                                          f"  .post((req, res) => {send(p, body(p))});"], True


def sub_application(p, n):
    lines = [f"const sub{n} = express();", *route(p, f"sub{n}", "get", "/x")]
    if p.rng.random() < 0.5:
        return "application mounted", [*lines, f"app.use('/s{n}', sub{n});"], True
    form, chosen = present(p, [f"app.use('/s{n}', sub{n});"])
    return f"application mounted {form}", lines + chosen, False


def nested(p, n):
    lines = [*router(p, f"{n}in"), f"const r{n} = express.Router();", f"r{n}.use('/in', r{n}in);"]
    form, chosen = bind(p, f"p{n}", [f"'/s{n}/a'", f"'/s{n}/b'"])
    return f"router in router, prefix chosen: {form}", [*lines, *chosen, f"app.use(p{n}, r{n});"], False


def setting(p, n):
    name = p.rng.choice([f"process.env.PREFIX{n} || '/s{n}/v1'", f"process.env.PREFIX{n} ?? '/s{n}/v1'"])
    return "prefix from a setting with a default", [*router(p, n), f"app.use({name}, r{n});"], True


def unknowable(p, n):
    p.condition("env", [None, "1"])
    p.unknowable.add(n)
    return "loop over the environment, paths of its names", [
        "for (const name of Object.keys(process.env)) {", f"  app.get(`/s{n}/${{name}}`, (req, res) => res.json({body(p)}));", "}"], False


def changed_answer(p, n):
    return "member set in if", [f"const v{n} = {{ id: 1 }};", f"if ({truth(p)}) v{n}.extra = 'x';",
                                f"app.get('/s{n}/x', (req, res) => res.json(v{n}));"], True


def middleware(p, n):
    """What comes before a handler and hands on, there in some runs only."""
    form, lines = present(p, [f"r{n}.use((req, res, next) => next());"])
    return f"middleware {form}", [f"const r{n} = express.Router();", *lines, *route(p, f"r{n}", "get", "/x"), f"app.use('/s{n}', r{n});"], True


PARTS = [plain, chosen_prefix, chosen_body, chosen_field, chosen_both, known, decided_in_handler, route_present, router_present, listed,
         loop_paths, factory, chosen_router, chosen_handler, chosen_method, chained, sub_application, nested, setting, changed_answer,
         middleware]


def make(seed, only=None):
    p = Program("express", seed, only)
    parts = p.build(plain, PARTS, unknowable)
    parts = [(n, [line.replace("'/P'", f"`/s{n}/${{name}}`") for line in lines]) for n, lines in parts]
    p.files["package.json"] = [json.dumps({"name": "service", "dependencies": {"express": "^5.0.0"}})]
    layout = p.rng.choice(["single", "factory", "modules"])
    head = ["'use strict';", "const express = require('express');", ""]
    code = [line for _, lines in parts for line in [*lines, ""]]
    p.entry = "app.js"
    if layout == "modules":
        shared = used(SHARED, code)
        names = [name for name in ("settings", "enabled", "oneItem", "ITEMS") if any(name in line.split("(")[0].split("=")[0] for line in shared)]
        p.files["common.js"] = ["'use strict';", *shared, f"module.exports = {{ {', '.join(names)} }};"]
        for n, lines in parts:
            taken = [name for name in names if any(name in line for line in lines)]
            p.files[f"part{n}.js"] = [*head, *([f"const {{ {', '.join(taken)} }} = require('./common');"] if taken else []),
                                      "module.exports = function setup(app) {", *block(lines), "};"]
        p.files["app.js"] = [*head, "const app = express();", *[f"require('./part{n}')(app);" for n, _ in parts], "module.exports = app;"]
        return p
    shared = used(SHARED, code)
    if layout == "factory":
        code = ["function createApp() {", "  const app = express();", *block(code), "  return app;", "}", "", "module.exports = createApp();"]
    else:
        code = ["const app = express();", *code, "module.exports = app;"]
    p.files["app.js"] = [*head, *shared, *code]
    return p
