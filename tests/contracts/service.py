"""The service of `shop.yaml`, with one defect or none: `service.py PORT [DEFECT]`."""
import http.server
import json
import re
import sys
import urllib.parse

DEFECT = sys.argv[2] if len(sys.argv) > 2 else ""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_line(value):
    parts = value.get("parts", []) if isinstance(value, dict) else None
    return parts is not None and is_number(value.get("price")) and value["price"] >= 0 and isinstance(parts, list) and all(map(is_line, parts))


def is_order(value):
    if not isinstance(value, dict):
        return False
    code, lines, note = value.get("code"), value.get("lines"), value.get("note")
    code = isinstance(code, str) and re.fullmatch("[A-Z]{3}", code)
    return code and isinstance(lines, list) and lines and all(map(is_line, lines)) and (note is None or isinstance(note, str))


def order(known=None):
    known = known or {"code": "ABC", "lines": [{"price": 2.5, "parts": [{"price": 1}]}]}
    kept = {**known, "id": 1, "note": known.get("note"), "placed": "2026-01-31T12:00:00Z"}
    if DEFECT == "member missing":
        del kept["code"]
    if DEFECT == "wrong type":
        kept["id"] = "1"
    if DEFECT == "wrong deep inside":
        kept["lines"] = [{"price": 1, "parts": [{"price": None}]}]
    return kept


def refuse(reason, status=400):
    if DEFECT == "refuses in another form":
        return status, [reason]
    return status, {"reason": reason}


def answer(method, path, query, media, body):
    if path == "/api/orders" and method == "GET":
        if query.get("state") not in (["open"], ["paid"]) and DEFECT != "accepts any parameter":
            return refuse("state is open or paid")
        return 200, [order()]
    if path == "/api/orders" and method == "POST":
        if DEFECT == "accepts any body":
            return 201, order()
        try:
            value = json.loads(body)
        except ValueError:
            return refuse("the body is no JSON")
        if media.split(";")[0] != "application/json" or not is_order(value):
            return refuse("the body is no order")
        return (200 if DEFECT == "undeclared status" else 201), order(value)
    found = re.fullmatch("/api/orders/([^/]+)(/receipts)?", path)
    if found and method in ("GET", "HEAD"):
        if DEFECT == "crashes" and not found[1].isdigit():
            raise RuntimeError("what is no number was not expected")
        if not re.fullmatch("-?[0-9]+", found[1]):
            return refuse("the id is no integer")
        if int(found[1]) != 1 or DEFECT == "knows nothing":
            return refuse("there is none", 404)
        return (200, None) if found[2] or method == "HEAD" else (200, order())
    return refuse("there is no such operation", 404)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def serve(self):
        length = int(self.headers.get("Content-Length") or 0)
        body, place = self.rfile.read(length), urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(place.query)
        try:
            status, value = answer(self.command, urllib.parse.unquote(place.path), query, self.headers.get("Content-Type") or "", body)
        except RuntimeError:
            status, value = 500, {"reason": "it crashed"}
        text = b"" if value is None or self.command == "HEAD" else json.dumps(value).encode()
        self.send_response(status)
        if text:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = do_TRACE = serve

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
