"""Drives every tool with the command line of the inspector: one process a call."""
import concurrent.futures
import json
import subprocess

import samples


def drive(program, inspector, environment, folder):
    root = samples.project(folder)

    def ask(server, *rest):
        command = [inspector, "--cli", program, "mcp", "serve", server, "--root", root, *rest]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        try:
            return json.loads(done.stdout)
        except ValueError:
            return {"isError": True, "content": [{"text": (done.stdout + done.stderr)[-500:]}]}

    def call(server, name, arguments):
        # Texts as they are, all else as JSON.
        pair = lambda key, value: f"{key}={value if isinstance(value, str) else json.dumps(value)}"
        pairs = [pair(key, value) for key, value in arguments.items()]
        given = ["--tool-arg", *pairs] if pairs else []
        return ask(server, "--method", "tools/call", "--tool-name", name, *given)

    kept, jobs, failed = {}, [], []
    for server in samples.SERVERS:
        listed = ask(server, "--method", "tools/list")
        names = [tool["name"] for tool in listed.get("tools", [])]
        for sample in samples.calls():
            if sample["tool"] not in names:
                continue
            for which in ["required", "all"]:
                arguments = samples.filled(sample[which], kept)
                if sample.get("keep"):
                    answer = call(server, sample["tool"], arguments)
                    if answer.get("isError"):
                        failed.append(f"{sample['tool']} ({which}): {answer['content'][0]['text'][:300]}")
                    else:
                        samples.keep(sample, answer["content"][0]["text"], kept)
                else:
                    jobs.append((server, sample["tool"], which, arguments))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for job, answer in zip(jobs, pool.map(lambda job: call(job[0], job[1], job[3]), jobs)):
            if answer.get("isError") or not answer.get("content"):
                failed.append(f"{job[1]} ({job[2]}): {json.dumps(answer)[:300]}")
    for line in failed:
        print("FAILED:", line)
    print(f"inspector: {len(jobs)} calls")
    return not failed
