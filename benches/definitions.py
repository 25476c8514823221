#!/usr/bin/env python3
"""Definitions and callers of random symbols, held against a language server.

    definitions.py --treaty BIN --server "pyright-langserver --stdio" ROOT
    definitions.py --treaty BIN --server "typescript-language-server --stdio" ROOT

Symbols (classes, functions, methods, interfaces, enums) and the places that use them come from the server; imports and the
declarations themselves are left out on both sides. Prints precision and recall of the places, and how many definitions are
found by the bare name. Needs the server on the path, for instance from npm (`pyright`, `typescript-language-server`).
"""
import argparse, ast, json, os, pathlib, random, re, subprocess, sys
from urllib.parse import unquote, urlparse

KINDS = {5: 'class', 6: 'method', 10: 'enum', 11: 'interface', 12: 'function'}
ENDS = {'.py': 'python', '.ts': 'typescript', '.tsx': 'typescriptreact'}
SKIP = re.compile(r'(^|/)(node_modules|\.git|dist|build|\.venv|migrations|alembic)(/|$)|\.d\.ts$')


class Server:
    """A language server over standard input and output."""

    def __init__(self, command, root):
        self.process = subprocess.Popen(command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=root)
        self.number = 0
        uri = pathlib.Path(root).as_uri()
        capabilities = {'textDocument': {'documentSymbol': {'hierarchicalDocumentSymbolSupport': True}, 'references': {}}, 'workspace': {'configuration': True, 'workspaceFolders': True}}
        self.ask('initialize', {'processId': os.getpid(), 'rootUri': uri, 'workspaceFolders': [{'uri': uri, 'name': 'root'}], 'capabilities': capabilities})
        self.tell('initialized', {})

    def send(self, message):
        body = json.dumps({'jsonrpc': '2.0', **message}).encode()
        self.process.stdin.write(b'Content-Length: %d\r\n\r\n%s' % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit('the server ended')
            if line == b'\r\n':
                return json.loads(self.process.stdout.read(length))
            if line.lower().startswith(b'content-length:'):
                length = int(line.split(b':')[1])

    def tell(self, method, params):
        self.send({'method': method, 'params': params})

    def ask(self, method, params):
        self.number += 1
        number = self.number
        self.send({'id': number, 'method': method, 'params': params})
        while True:
            message = self.receive()
            if 'method' in message and 'id' in message:
                items = message['params'].get('items', []) if isinstance(message.get('params'), dict) else []
                self.send({'id': message['id'], 'result': [{} for _ in items] if message['method'] == 'workspace/configuration' else None})
            elif message.get('id') == number and 'method' not in message:
                return message.get('result')


def imports_of(path, text):
    """Lines (from 1) that belong to imports and to lists of exports."""
    lines = set()
    if path.endswith('.py'):
        try:
            tree = ast.parse(text)
        except SyntaxError:
            return lines
        for node in ast.walk(tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                lines.update(range(node.lineno, node.end_lineno + 1))
            if isinstance(node, ast.Assign) and any(getattr(it, 'id', '') == '__all__' for it in node.targets):
                lines.update(range(node.lineno, node.end_lineno + 1))
        return lines
    for match in re.finditer(r'^[ \t]*(import\b(?:[^;{(\n]*\{[^}]*\})?[^;\n]*|export\s*(?:type\s*)?(?:\{[^}]*\}|\*)[^;\n]*)', text, re.M):
        first = text.count('\n', 0, match.start(1)) + 1
        lines.update(range(first, first + match.group(1).count('\n') + 1))
    return lines


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('root')
    ap.add_argument('--treaty', default='treaty')
    ap.add_argument('--server', required=True)
    ap.add_argument('--count', type=int, default=100)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--kept', help='file to keep what the server answered in')
    ap.add_argument('--verbose', action='store_true')
    a = ap.parse_args()
    root = os.path.realpath(a.root)
    files = [os.path.relpath(os.path.join(d, f), root) for d, _, fs in os.walk(root) for f in fs if os.path.splitext(f)[1] in ENDS]
    ends = ('.py',) if 'pyright' in a.server else ('.ts', '.tsx')
    files = sorted(f for f in files if f.endswith(ends) and not SKIP.search(f))
    text = {f: open(os.path.join(root, f), encoding='utf8', errors='replace').read() for f in files}
    if a.kept and os.path.exists(a.kept):
        truth = json.load(open(a.kept))
    else:
        truth = ask_server(a, root, files, text)
        if a.kept:
            json.dump(truth, open(a.kept, 'w'))
    imports = {f: imports_of(f, t) for f, t in text.items()}
    declared = {tuple(place) for place in truth['declared']}
    tp = fp = fn = right = found = 0
    for symbol in truth['chosen']:
        def keep(place):
            f, line = place
            return f in text and line not in imports[f] and place not in declared
        expected = {p for p in map(tuple, symbol['used']) if keep(p)}
        name = symbol['file'] + '::' + symbol['name']
        got = ask(a.treaty, root, 'callers', name, '-n', '100000') or []
        answered = {p for p in ((it['file'], it['line']) for it in got) if keep(p)}
        tp += len(expected & answered); fp += len(answered - expected); fn += len(expected - answered)
        if a.verbose:
            for kind, places in (('extra', answered - expected), ('missing', expected - answered)):
                for f, line in sorted(places)[:6]:
                    print('%-8s %s  %s:%d  %s' % (kind, name, f, line, text[f].split('\n')[line - 1].strip()[:110]))
        best = ask(a.treaty, root, 'definition', symbol['name'])
        if best:
            found += 1
            places = [(it['file'], it['line']) for it in [best, *best.get('alternatives', [])]]
            several = sum(1 for it in truth['all'] if it['name'] == symbol['name'])
            right += places[0] == (symbol['file'], symbol['line']) or (several > 1 and ((symbol['file'], symbol['line']) in places or best.get('more_alternatives')))  is True
    n = len(truth['chosen'])
    print('%s: %d symbols, %d places  callers: precision %.3f recall %.3f  definitions: precision %.3f recall %.3f' % (
        root.split('/')[-1], n, tp + fn, tp / max(tp + fp, 1), tp / max(tp + fn, 1), right / max(found, 1), right / max(n, 1)))


def ask(treaty, root, verb, symbol, *more):
    out = subprocess.run([treaty, 'code', verb, symbol, '--root', root, '--database', os.path.join('/tmp', 'definitions-%s.db' % os.path.basename(root)), '--format', 'json', *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        return json.loads(out.stdout)
    except ValueError:
        sys.exit('%s %s: %s' % (verb, symbol, out.stderr))


def ask_server(a, root, files, text):
    server = Server(a.server, root)
    symbols, declared = [], []
    for f in files:
        uri = pathlib.Path(root, f).as_uri()
        server.tell('textDocument/didOpen', {'textDocument': {'uri': uri, 'languageId': ENDS[os.path.splitext(f)[1]], 'version': 1, 'text': text[f]}})
        def add(it, names, inside_function):
            names = names + [it['name']]
            start = it['selectionRange']['start']
            named = text[f].split('\n')[start['line']][start['character']:].startswith(it['name'])
            if named and it['name'].isidentifier():
                declared.append([f, start['line'] + 1])
            if it['kind'] in KINDS and not inside_function and named and it['name'].isidentifier():
                symbols.append({'file': f, 'line': start['line'] + 1, 'column': start['character'], 'name': '.'.join(names), 'kind': KINDS[it['kind']]})
            for child in it.get('children') or []:
                add(child, names, inside_function or it['kind'] not in (5, 10, 11))
        for it in server.ask('textDocument/documentSymbol', {'textDocument': {'uri': uri}}) or []:
            add(it, [], False)
    plain = [s for s in symbols if not s['name'].split('.')[-1].startswith('__') and s['name'].split('.')[-1] != 'constructor']
    chosen = random.Random(a.seed).sample(plain, min(a.count, len(plain)))
    for symbol in chosen:
        places, next_, seen = set(), [(symbol['file'], symbol['line'] - 1, symbol['column'])], set()
        while next_:
            f, line, column = next_.pop()
            if (f, line, column) in seen or f not in text:
                continue
            seen.add((f, line, column))
            at = {'textDocument': {'uri': pathlib.Path(root, f).as_uri()}, 'position': {'line': line, 'character': column}}
            for it in server.ask('textDocument/references', {**at, 'context': {'includeDeclaration': False}}) or []:
                g = os.path.relpath(os.path.realpath(unquote(urlparse(it['uri']).path)), root)
                end = it['range']['end']
                places.add((g, end['line'] + 1))
                # What an import calls otherwise is another symbol for some servers.
                rest = text[g].split('\n')[end['line']][end['character']:] if g in text else ''
                alias = re.match(r'\s+as\s+(?=\w)', rest)
                if alias and end['line'] + 1 in imports_of(g, text[g]):
                    next_.append((g, end['line'], end['character'] + alias.end()))
        symbol['used'] = sorted(places)
    server.process.terminate()
    return {'all': symbols, 'chosen': chosen, 'declared': declared}


if __name__ == '__main__':
    main()
