// Run where Express is installed: `run_node.cjs IN OUT`. IN lists programs (folder, entry, conditions, queries); OUT gets one
// line of JSON per program: what each of its runs serves, and how each route answers.
"use strict";
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const Module = require("node:module");
const express = require("express");
const Router = require("router");

const available = new Set();
const load = Module._load;
Module._load = function (request, ...rest) {
  if (/^extra\d$/.test(request)) {
    if (available.has(request)) return {};
    throw Object.assign(new Error(`Cannot find module '${request}'`), { code: "MODULE_NOT_FOUND" });
  }
  return request === "express" ? express : load.call(this, request, ...rest);
};

// What is mounted where is not kept in a form that can be read: each `use` notes its path on the layers that it adds.
const use = Router.prototype.use;
Router.prototype.use = function (first, ...rest) {
  const before = this.stack.length;
  const result = use.call(this, first, ...rest);
  for (const layer of this.stack.slice(before)) layer.mountedAt = typeof first === "string" ? first : "";
  return result;
};
const mount = express.application.use;
const applications = new WeakMap();
express.application.use = function (first, ...rest) {
  const inner = [first, ...rest].flat().find((it) => it && it.handle && it.set);
  const result = mount.call(this, first, ...rest);
  if (inner) applications.set(this.router.stack.at(-1), inner);
  return result;
};

function routes(router, prefix) {
  const found = [];
  for (const layer of router.stack) {
    const inner = applications.get(layer) ?? layer.handle;
    if (layer.route) {
      for (const method of Object.keys(layer.route.methods)) {
        found.push([method, (prefix + layer.route.path).replace(/\/+/g, "/")]);
      }
    } else if (inner.stack || inner.router) {
      const at = layer.mountedAt === "/" ? "" : layer.mountedAt;
      found.push(...routes(inner.stack ? inner : inner.router, prefix + at));
    }
  }
  return found;
}

const agent = new http.Agent({ keepAlive: true });
function ask(port, method, url) {
  return new Promise((resolve, reject) => {
    const request = http.request({ agent, port, host: "127.0.0.1", method, path: url }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => {
        const json = /json/.test(response.headers["content-type"] ?? "");
        resolve([response.statusCode, json ? JSON.parse(text) : null, json]);
      });
    });
    request.on("error", reject);
    request.end();
  });
}

let current;
const server = http.createServer((request, response) => current(request, response));

async function run(program, values) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  available.clear();
  program.conditions.forEach((condition, at) => {
    if (values[at] === null) return;
    if (condition.kind === "env") process.env[condition.name] = values[at];
    else available.add(condition.name);
  });
  for (const name of Object.keys(require.cache)) if (name.startsWith(program.folder)) delete require.cache[name];
  const app = require(path.join(program.folder, program.entry));
  current = app;
  const answered = [];
  for (const [method, route] of routes(app.router, "")) {
    const answers = [];
    for (const query of program.queries) {
      answers.push(await ask(server.address().port, method.toUpperCase(), route.replace(/:\w+/g, "abc") + query));
    }
    answered.push({ method: method.toUpperCase(), path: route.replace(/:(\w+)/g, "{$1}"), numbers: [], answers });
  }
  return { routes: answered };
}

function combinations(conditions) {
  return conditions.reduce((all, it) => all.flatMap((values) => it.values.map((value) => [...values, value])), [[]]);
}

async function main() {
  const out = fs.openSync(process.argv[3], "w");
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  for (const program of JSON.parse(fs.readFileSync(process.argv[2], "utf8"))) {
    const runs = [];
    for (const values of combinations(program.conditions)) {
      try {
        runs.push({ values, result: await run(program, values) });
      } catch (error) {
        runs.push({ values, failed: String(error.stack) });
      }
    }
    fs.writeSync(out, `${JSON.stringify(runs)}\n`);
  }
  process.exit(0);
}

main();
