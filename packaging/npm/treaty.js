#!/usr/bin/env node
// Starts the program, which lies in the package for this system.
"use strict";
const { spawnSync } = require("child_process");
const os = require("os");

const name = `treaty-scan-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/treaty${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`treaty: the package ${name} is not installed. Where packages are installed without those that are optional
(--omit=optional), install it by name; where there is none for this system, build treaty from its source.`);
  process.exit(2);
}
const ended = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error(`treaty: ${program} cannot be started: ${ended.error.message}`);
  process.exit(2);
}
// A program that a signal ended is told from one that ended by itself as a shell does.
process.exit(ended.signal ? 128 + (os.constants.signals[ended.signal] || 0) : ended.status);
