"""Three servers on one database, with eight writers and readers at the same time: nothing acknowledged is lost, nobody is
told that the database is locked; how long calls take."""
import collections
import json
import pathlib
import shutil
import subprocess
import threading
import time

import samples

# Calls that look at the whole project, most of them by scanning it.
SCANNING = {"mark_implemented", "get_service_interface", "check_breaking_changes", "check_dead_code"}
WRITERS = 8
# Versions that a writer registers over and over, each time with another document.
VERSIONS = 50


class Wire:
    """A server and calls of many threads to it."""

    def __init__(self, program, server, root):
        command = [program, "mcp", "serve", server, "--root", root]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lock, self.asked, self.waiting = threading.Lock(), 0, {}
        threading.Thread(target=self.listen, daemon=True).start()
        about = {"name": "load", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.tools = {tool["name"] for tool in self.ask("tools/list", {})["result"]["tools"]}

    def listen(self):
        for line in self.process.stdout:
            message = json.loads(line)
            slot = self.waiting.pop(message.get("id"), None)
            if slot:
                slot[1] = message
                slot[0].set()

    def send(self, message):
        with self.lock:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def ask(self, method, params, patience=60):
        with self.lock:
            self.asked += 1
            number = self.asked
        slot = self.waiting[number] = [threading.Event(), None]
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        if not slot[0].wait(patience):
            raise TimeoutError(f"{method} {params.get('name')}")
        return slot[1]

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


def quantile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))] * 1000


def drive(program, folder, seconds, code, limit):
    root = samples.project(folder)
    if code:
        shutil.copytree(code, root / "code", symlinks=True)
    wires = {server: Wire(program, server, root) for server in samples.SERVERS}
    times, errors, acknowledged, written = collections.defaultdict(list), [], {}, collections.Counter()
    taken = threading.Lock()

    def call(server, name, arguments):
        begun = time.perf_counter()
        try:
            result = wires[server].ask("tools/call", {"name": name, "arguments": arguments}, 600)["result"]
        except Exception as error:
            errors.append(f"{name}: {error!r}")
            return None
        with taken:
            times[name].append(time.perf_counter() - begun)
        text = result["content"][0]["text"]
        if result.get("isError"):
            errors.append(f"{name}: {text[:300]}")
            return None
        return text

    document = json.loads((samples.SAMPLE / "books" / "openapi.json").read_text())
    requirements = (samples.SAMPLE / "requirements.md").read_text()
    kept, first = {}, []
    for sample in samples.calls():
        for server, wire in wires.items():
            if sample["tool"] in wire.tools:
                text = call(server, sample["tool"], samples.filled(sample["all"], kept))
                first.append(f"{sample['tool']} {times[sample['tool']][-1] * 1000:.0f}" if text is not None else sample["tool"])
                if text is not None:
                    samples.keep(sample, text, kept)
    print("first calls, ms:", ", ".join(first))
    times.clear()
    end = time.monotonic() + seconds

    def registers(number):
        count = 0
        while time.monotonic() < end:
            spec = dict(document, info={"title": f"{number} {count}", "version": "1.0.0"})
            version = f"1.{count % VERSIONS}.0"
            arguments = {"service_name": f"load-{number}", "type": "openapi", "version": version, "spec": spec}
            text = call("contract-engine", "create_contract", arguments)
            if text is not None:
                acknowledged[f"load-{number}", version] = json.loads(text)["spec_hash"]
                written[number] += 1
            count += 1

    def decomposes(number):
        while time.monotonic() < end:
            call("architect", "decompose", {"prd_text": requirements})

    def registers_code(number):
        path = root / "books" / f"part{number}.py"
        count = 0
        while time.monotonic() < end:
            path.write_text(f"def part{number}_{count}():\n    return {count}\n")
            call("codebase-intelligence", "register_artifact", {"file_path": str(path.relative_to(root)), "service_name": "books"})
            count += 1

    quick = [it for it in samples.calls() if it["tool"] not in SCANNING | {"create_contract", "decompose", "register_artifact"}]

    def reads(number):
        while time.monotonic() < end:
            for sample in quick:
                for server, wire in wires.items():
                    if sample["tool"] in wire.tools:
                        call(server, sample["tool"], samples.filled(sample["all"], kept))

    roles = [registers] * 4
    roles += [decomposes] * 2 if "decompose" in wires["architect"].tools else [registers] * 2
    roles += [registers_code] * 2 if "register_artifact" in wires["codebase-intelligence"].tools else [registers] * 2
    threads = [threading.Thread(target=role, args=(number,)) for number, role in enumerate(roles[:WRITERS] + [reads])]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]

    there = {}
    for number in written:
        text = call("contract-engine", "list_contracts", {"service_name": f"load-{number}", "page_size": 100})
        for item in json.loads(text or '{"items": []}')["items"]:
            there[item["service_name"], item["version"]] = item["spec_hash"]
    lost = sum(there.get(key) != value for key, value in acknowledged.items())
    for wire in wires.values():
        wire.close()
    everything = [it for name, each in times.items() if name not in SCANNING for it in each]
    for name, each in sorted(times.items()):
        print(f"  {name}: {len(each)} calls, median {quantile(each, 0.5):.1f} ms, p99 {quantile(each, 0.99):.1f} ms")
    worst = quantile(everything, 0.99)
    locked = sum("locked" in error for error in errors)
    print(f"load: {seconds} s, {sum(written.values())} contracts written, {lost} lost, {locked} times locked, "
          f"{len(errors)} errors, {len(everything)} calls, p99 {worst:.1f} ms")
    for error in errors[:5]:
        print("FAILED:", error)
    slow = limit is not None and worst > limit
    return lost == 0 and not errors and not slow
