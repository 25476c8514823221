"""Small Flask programs."""
from program import Program, indent, used
from python_forms import HELPERS, PREAMBLE, bind, bind_known, present, truth

IMPORTS = ["from flask import Blueprint, Flask, jsonify, request", "from flask.views import MethodView"]
SHARED = [
    ["def one_item():", "    return {'id': 1, 'name': 'n'}"],
    ["ITEMS = [{'id': 1, 'name': 'n'}, {'id': 2, 'name': 'm'}]"],
]
BODIES = ["{'id': 1}", "{'id': 'x', 'name': 'n'}", "{'total': 1.5, 'done': True}", "{'id': 1, 'tags': ['a', 'b']}",
          "{'first': {'id': 1}, 'rest': [{'id': 'x'}]}", "[{'id': 1, 'name': 'n'}]", "one_item()", "{'items': ITEMS}",
          "{'name': 'n', 'note': None}"]
OBJECTS = BODIES[:5]


def sent(p, body):
    """The return statement that sends a body."""
    return p.rng.choice([f"return jsonify({body})", f"return {body}", f"return {body}, 200", f"return jsonify({body}), 201"])


def body(p):
    return p.rng.choice(BODIES)


def handler(p, name, arguments=""):
    """A function that answers with one body, or with one of two for each request."""
    kind = p.rng.random()
    head = [f"def {name}({arguments}):"]
    if kind < 0.5:
        return head + [f"    {sent(p, body(p))}"]
    a, b = p.rng.sample(OBJECTS, 2)
    p.queries = ["", "?q=1"]
    ask = "request.args.get('q')"
    if kind < 0.65:
        return head + [f"    if {ask}:", f"        {sent(p, a)}", f"    {sent(p, b)}"]
    if kind < 0.75:
        return head + [f"    if {ask}:", f"        result = {a}", "    else:", f"        result = {b}", "    return jsonify(result)"]
    if kind < 0.85:
        return head + [f"    return jsonify({a} if {ask} else {b})"]
    if kind < 0.93:
        return head + ["    try:", "        int(request.args['q'])", "    except KeyError:", f"        return {b}, 404", f"    {sent(p, a)}"]
    return head + ["    result = {'id': 1}", f"    if {ask}:", "        result['extra'] = 'x'", "    return result"]


def plain(p, n):
    own = p.rng.random() < 0.5
    prefix = f", url_prefix='/s{n}'"
    lines = [f"b{n} = Blueprint('b{n}', __name__{prefix if own else ''})", f"@b{n}.route('/all')", *handler(p, f"all{n}"),
             f"@b{n}.get('/one/<int:key>')", *handler(p, f"one{n}", "key"),
             f"@b{n}.route('/new', methods=['POST'])", f"def new{n}():", f"    return jsonify({p.rng.choice(OBJECTS)}), 201",
             f"app.register_blueprint(b{n}{'' if own else prefix})"]
    return "plain", lines, True


def chosen_prefix(p, n):
    form, lines = bind(p, f"p{n}", [f"'/s{n}/a'", f"'/s{n}/b'", f"'/s{n}/c'"])
    own = p.rng.random() < 0.5
    lines += [f"b{n} = Blueprint('b{n}', __name__{f', url_prefix=p{n}' if own else ''})", f"@b{n}.route('/x')", *handler(p, f"x{n}"),
              f"app.register_blueprint(b{n}{'' if own else f', url_prefix=p{n}'})"]
    return f"prefix chosen: {form}", lines, False


def chosen_body(p, n):
    form, lines = bind(p, f"v{n}", p.rng.sample(OBJECTS, 3))
    use = p.rng.choice([f"return jsonify(v{n})", f"return v{n}", f"return {{'inner': v{n}}}", f"return jsonify([v{n}])"])
    return f"answer chosen: {form}", [*lines, f"@app.route('/s{n}/x')", f"def x{n}():", f"    {use}"], True


def chosen_field(p, n):
    form, lines = bind(p, f"v{n}", ["1", "'one'", "[1]"])
    return f"field chosen: {form}", [*lines, f"@app.get('/s{n}/x')", f"def x{n}():", f"    return {{'value': v{n}, 'done': True}}"], True


def chosen_both(p, n):
    a, b = p.rng.sample(OBJECTS, 2)
    form, lines = bind(p, f"p{n}, v{n}", [f"'/s{n}/a', {a}", f"'/s{n}/b', {b}", f"'/s{n}/a', {b}"])
    return f"prefix and answer chosen: {form}", [*lines, f"b{n} = Blueprint('b{n}', __name__, url_prefix=p{n})", f"@b{n}.route('/x')",
                                                 f"def x{n}():", f"    return jsonify(v{n})", f"app.register_blueprint(b{n})"], False


def known(p, n):
    a, b = p.rng.sample(OBJECTS, 2)
    form, lines = bind_known(p, f"p{n}, v{n}", [f"'/s{n}/a', {a}", f"'/s{n}/b', {b}"])
    return f"known: {form}", [*lines, f"b{n} = Blueprint('b{n}', __name__, url_prefix=p{n})", f"@b{n}.route('/x')",
                              f"def x{n}():", f"    return jsonify(v{n})", f"app.register_blueprint(b{n})"], True


def decided_in_handler(p, n):
    """A condition of the whole process that is asked for in each request."""
    a, b = p.rng.sample(OBJECTS, 2)
    ask = truth(p)
    if p.rng.random() < 0.5:
        lines = [f"def x{n}():", f"    if {ask}:", f"        return {a}", f"    return jsonify({b})"]
    else:
        lines = [f"FLAG{n} = bool({ask})", f"def x{n}():", f"    return {a} if FLAG{n} else {b}"]
    return "condition of the process asked for in a request", [*lines, f"app.add_url_rule('/s{n}/x', 'x{n}', x{n})"], True


def route_present(p, n):
    route = lambda path, name: [f"@app.route('/s{n}/{path}')", *handler(p, f"{name}{n}")]
    other = p.rng.choice([[], route("y", "y"), route("x", "z")])
    form, lines = present(p, route("x", "x"), other)
    what = "" if not other else ", else another answer" if "/x" in other[0] else ", else another route"
    return f"route {form}{what}", lines, False


def blueprint_present(p, n):
    lines = [f"b{n} = Blueprint('b{n}', __name__, url_prefix='/s{n}')", f"@b{n}.route('/x')", *handler(p, f"x{n}")]
    form, include = present(p, [f"app.register_blueprint(b{n})"])
    return f"blueprint {form}", lines + include, False


def listed(p, n):
    lines = []
    for part in "ab":
        lines += [f"b{n}{part} = Blueprint('b{n}{part}', __name__, url_prefix='/s{n}/{part}')", f"@b{n}{part}.route('/x')",
                  *handler(p, f"x{n}{part}")]
    kind = p.rng.randrange(4)
    if kind == 0:
        return "loop over known blueprints", [*lines, f"for b in (b{n}a, b{n}b):", "    app.register_blueprint(b)"], True
    if kind == 1:
        return "loop over a list that is appended to in if", [*lines, f"found = [b{n}a]", f"if {truth(p)}:", f"    found.append(b{n}b)",
                                                              "for b in found:", "    app.register_blueprint(b)"], False
    if kind == 2:
        return "loop over a list filtered by flags", [
            *lines, f"for b in [b for b, on in ((b{n}a, True), (b{n}b, {truth(p)})) if on]:", "    app.register_blueprint(b)"], False
    return "loop over a list with a conditional part", [
        *lines, f"for b in [b{n}a] + ([b{n}b] if {truth(p)} else []):", "    app.register_blueprint(b)"], False


def loop_paths(p, n):
    kind = p.rng.randrange(3)
    if kind == 0:
        return "loop over known paths", [*handler(p, f"x{n}"), "for name in ('a', 'b'):",
                                         f"    app.add_url_rule(f'/s{n}/{{name}}', f's{n}{{name}}', x{n})"], True
    if kind == 1:
        return "decorators stacked", [f"@app.route('/s{n}/a')", f"@app.route('/s{n}/b', methods=['GET', 'POST'])", *handler(p, f"x{n}")], True
    a, b = p.rng.sample(OBJECTS, 2)
    return "loop over a table of answers", [
        "def make(value):", "    def view():", "        return jsonify(value)", "    return view",
        f"for name, value in {{'a': {a}, 'b': {b}}}.items():",
        f"    app.add_url_rule('/s{n}/' + name, endpoint='s{n}' + name, view_func=make(value))"], True


def factory(p, n):
    a, b = p.rng.sample(OBJECTS, 2)
    lines = ["def make(name, value, extra=False):", "    b = Blueprint(name, __name__)", "    @b.route('/x')", "    def x():",
             "        return jsonify(value)", "    if extra:", "        @b.route('/y')", "        def y():", "            return {'id': 1}",
             "    return b"]
    kind = p.rng.randrange(3)
    add = lambda part, rest: f"app.register_blueprint(make('s{n}{part}', {rest}), url_prefix='/s{n}/{part}')"
    if kind == 0:
        return "factory of blueprints, constants", [*lines, add("a", f"{a}, True"), add("b", b)], True
    if kind == 1:
        return "factory of blueprints, flag", [*lines, add("a", f"{a}, extra=bool({truth(p)})")], False
    form, chosen = bind(p, f"v{n}", [a, b])
    return f"factory of blueprints, answer chosen: {form}", [*lines, *chosen, add("a", f"v{n}")], True


def chosen_blueprint(p, n):
    lines = []
    for part in "ab":
        lines += [f"b{n}{part} = Blueprint('b{n}{part}', __name__, url_prefix='/s{n}/{part}')", f"@b{n}{part}.route('/x')",
                  *handler(p, f"x{n}{part}")]
    form, chosen = bind(p, f"b{n}", [f"b{n}a", f"b{n}b"])
    return f"blueprint chosen: {form}", lines + chosen + [f"app.register_blueprint(b{n})"], False


def chosen_handler(p, n):
    a, b = p.rng.sample(OBJECTS, 2)
    lines = [f"def f{n}():", f"    {sent(p, a)}", f"def g{n}():", f"    {sent(p, b)}"]
    form, chosen = bind(p, f"h{n}", [f"f{n}", f"g{n}"])
    return f"handler chosen: {form}", lines + chosen + [f"app.add_url_rule('/s{n}/x', 'x{n}', h{n})"], False


def chosen_method(p, n):
    form, lines = bind(p, f"m{n}", ["['GET']", "['POST']", "['GET', 'POST']"])
    return f"method chosen: {form}", [*lines, f"@app.route('/s{n}/x', methods=m{n})", *handler(p, f"x{n}")], False


def view_class(p, n):
    a, b = p.rng.sample(OBJECTS, 2)
    lines = [f"class V{n}(MethodView):", "    def get(self):", f"        {sent(p, a)}", "    def post(self):", f"        {sent(p, b)}", ""]
    add = f"app.add_url_rule('/s{n}/x', view_func=V{n}.as_view('v{n}'))"
    if p.rng.random() < 0.5:
        return "class of methods", [*lines, add], True
    form, chosen = present(p, [add])
    return f"class of methods {form}", lines + chosen, False


def nested(p, n):
    lines = [f"inner{n} = Blueprint('inner{n}', __name__, url_prefix='/in')", f"@inner{n}.route('/x')", *handler(p, f"x{n}"),
             f"outer{n} = Blueprint('outer{n}', __name__)", f"outer{n}.register_blueprint(inner{n})"]
    if p.rng.random() < 0.5:
        return "blueprint in blueprint", [*lines, f"app.register_blueprint(outer{n}, url_prefix='/s{n}')"], True
    form, chosen = bind(p, f"p{n}", [f"'/s{n}/a'", f"'/s{n}/b'"])
    return f"blueprint in blueprint, prefix chosen: {form}", [*lines, *chosen, f"app.register_blueprint(outer{n}, url_prefix=p{n})"], False


def setting(p, n):
    name = p.rng.choice([f"os.environ.get('PREFIX{n}', '/s{n}/v1')", f"os.getenv('PREFIX{n}') or '/s{n}/v1'"])
    return "prefix from a setting with a default", [f"b{n} = Blueprint('b{n}', __name__)", f"@b{n}.route('/x')", *handler(p, f"x{n}"),
                                                    f"app.register_blueprint(b{n}, url_prefix={name})"], True


def unknowable(p, n):
    p.condition("env", [None, "1"])
    p.unknowable.add(n)
    return "loop over the environment, paths of its names", [
        *handler(p, f"x{n}"), "for name in os.environ:", f"    app.add_url_rule(f'/s{n}/{{name}}', 's{n}' + name, x{n})"], False


def changed_answer(p, n):
    """An answer that is built up in steps, one of which some runs leave out."""
    lines = [f"v{n} = {{'id': 1}}", f"if {truth(p)}:", f"    v{n}['extra'] = 'x'"]
    return "member set in if", [*lines, f"@app.route('/s{n}/x')", f"def x{n}():", f"    return jsonify(v{n})"], True


PARTS = [plain, chosen_prefix, chosen_body, chosen_field, chosen_both, known, decided_in_handler, route_present, blueprint_present, listed,
         loop_paths, factory, chosen_blueprint, chosen_handler, chosen_method, view_class, nested, setting, changed_answer]


def make(seed, only=None):
    p = Program("flask", seed, only)
    parts = p.build(plain, PARTS, unknowable)
    layout = p.rng.choice(["single", "factory", "modules"])
    head = [*PREAMBLE, *IMPORTS, ""]
    code = [line for _, lines in parts for line in [*lines, ""]]
    if layout == "modules":
        p.files["service/__init__.py"] = []
        p.files["service/common.py"] = [*head, *used([*HELPERS, *SHARED], code)]
        for n, lines in parts:
            p.files[f"service/part{n}.py"] = [*head, "from .common import *", "", "def init_app(app):", *indent(lines)]
        p.files["service/main.py"] = [*head, *[f"from . import part{n}" for n, _ in parts], "", "app = Flask(__name__)",
                                      *[f"part{n}.init_app(app)" for n, _ in parts]]
        p.entry = "service.main"
        return p
    if layout == "factory":
        code = ["def create_app():", "    app = Flask(__name__)", *indent(code), "    return app", "", "app = create_app()"]
    else:
        code = ["app = Flask(__name__)", *code]
    p.files["app.py"] = [*head, *used([*HELPERS, *SHARED], code), *code]
    p.entry = "app"
    return p
