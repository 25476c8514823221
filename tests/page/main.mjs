// The pages that treaty writes, in a real browser, as people use them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const packages = createRequire(join(process.env.TREATY_PAGE, "package.json"));
const { chromium } = packages("playwright-core");
const axe = readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");

const asked = (name) => {
  const at = process.argv.indexOf(name);
  return at > 0 ? process.argv[at + 1] : undefined;
};
const treaty = resolve(asked("--binary") ?? join(root, "target/debug/treaty"));
const work = mkdtempSync(join(tmpdir(), "treaty-page-"));

function written(name, ...command) {
  const path = join(work, name);
  try {
    execFileSync(treaty, [...command, "--format", "html", "-o", path], { cwd: root, stdio: "pipe" });
  } catch (error) {
    // 1 means findings.
    if (error.status !== 1) throw error;
  }
  return path;
}

// A page with other data: `change` gets what the page shows, and returns what it is to show.
function changed(page, name, change) {
  const text = readFileSync(page, "utf8");
  const [before, rest] = text.split('id="data">');
  const end = rest.indexOf("</script>");
  const data = JSON.stringify(change(JSON.parse(rest.slice(0, end)))).replaceAll("<", "\\u003c");
  const path = join(work, name);
  writeFileSync(path, before + 'id="data">' + data + rest.slice(end));
  return path;
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

// A page in a window of its own; whatever it complains of or asks for is an error.
async function open(path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("request", (request) => request.url().startsWith("file:") && request.isNavigationRequest() || wrong.push(`asks for ${request.url()}`));
  await page.goto(pathToFileURL(path).href);
  return { page, close: async () => { assert.deepEqual(wrong, []); await context.close(); } };
}

async function barriers(page) {
  // The page lets no script in but its own: what looks for barriers comes in beside it.
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setBypassCSP", { enabled: true });
  await page.reload();
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run());
  return found.violations.map((it) => `${it.id}: ${it.nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
}

const bookshop = written("bookshop.html", "scan", "fixtures/bookshop");
const shown = async (page) => (await page.locator("#shown").textContent()).trim();

const tests = {
  async "tells what was found"() {
    const { page, close } = await open(bookshop);
    assert.match(await page.locator("#totals").textContent(), /9 errors.*of 11 operations verified/);
    assert.equal(await shown(page), "9 of 9");
    assert.equal(await page.locator("#list > details").count(), 9);
    assert.ok(await page.locator("#map svg .bad").count() > 0, "a broken edge is marked");
    assert.equal(await page.locator("#matrix tbody tr").count(), 11);
    const first = page.locator("#list > details").first();
    assert.ok(await first.evaluate((it) => it.open), "the first finding is open");
    assert.equal(await first.locator(".side pre .hit").count() > 0, true);
    await close();
  },
  async "filters and searches"() {
    const { page, close } = await open(bookshop);
    await page.fill("#search", "isbn");
    await page.waitForFunction(() => document.getElementById("shown").textContent.startsWith("2 of"));
    await page.fill("#search", "no such words");
    await page.waitForFunction(() => document.getElementById("shown").textContent.startsWith("0 of"));
    assert.match(await page.locator("#list").textContent(), /Nothing fits/);
    await page.fill("#search", "");
    await page.waitForFunction(() => document.getElementById("shown").textContent.startsWith("9 of"));
    await page.selectOption("#rule", "CONTRACT-002");
    assert.equal(await shown(page), "2 of 9");
    await page.selectOption("#rule", "");
    await page.locator("#severities input").first().uncheck();
    assert.equal(await shown(page), "0 of 9");
    await page.locator("#severities input").first().check();
    const rows = await page.locator("#matrix tbody tr").count();
    await page.locator("#states label", { hasText: "violated" }).locator("input").uncheck();
    assert.ok(await page.locator("#matrix tbody tr").count() < rows);
    await close();
  },
  async "is used with the keyboard alone"() {
    const { page, close } = await open(bookshop);
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "To the findings");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "findings");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "search");
    await page.keyboard.type("isbn");
    await page.waitForFunction(() => document.getElementById("shown").textContent.startsWith("2 of"));
    for (let at = 0; at < 20; at++) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement.tagName === "SUMMARY" && !document.activeElement.parentNode.open)) break;
    }
    await page.keyboard.press("Enter");
    assert.ok(await page.evaluate(() => document.activeElement.parentNode.open), "a finding opens");
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none", "what has the focus shows it");
    await close();
  },
  async "is light and dark, and has no barriers in either"() {
    const backs = new Set();
    for (const colorScheme of ["light", "dark"]) {
      for (const path of [bookshop, written("changelog.html", "diff", "fixtures/versions/released.yaml", "fixtures/versions/books.yaml")]) {
        const { page } = await open(path, { colorScheme });
        backs.add(colorScheme + await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
        assert.deepEqual(await barriers(page), [], `${colorScheme} ${path}`);
        await page.context().close();
      }
    }
    assert.equal(backs.size, 2, "each has its own background");
  },
  async "fits on a telephone"() {
    const { page, close } = await open(bookshop, { viewport: { width: 380, height: 700 } });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${over} pixels too wide`);
    await close();
  },
  async "shows foreign text as text"() {
    const markup = "<img src=x onerror='document.title=1'><script>document.title=2</script>\u202e";
    const foreign = changed(bookshop, "foreign.html", (data) => {
      const own = new Set(["severity", "state", "kind", "treaty"]);
      const all = (it, key) =>
        typeof it === "string" ? (own.has(key) ? it : it + markup)
        : Array.isArray(it) ? it.map((each) => all(each, key))
        : it && typeof it === "object" ? Object.fromEntries(Object.entries(it).map(([name, each]) => [name, all(each, name)]))
        : it;
      return all(data);
    });
    const { page, close } = await open(foreign);
    for (const summary of await page.locator("#list summary").all()) await summary.click();
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.title(), "treaty report");
    assert.ok(!(await page.locator("main").innerText()).includes("\u202e"), "what turns text around is shown as its number");
    await close();
  },
  async "opens at once, however much there is"() {
    const large = asked("--report") ?? changed(bookshop, "large.html", (data) => {
      const more = (list, times) => Array.from({ length: times }, () => list).flat();
      return { ...data, findings: more(data.findings, 250), operations: more(data.operations, 100), problems: more([{ kind: "unreadable", message: "m", file: "f.py" }], 300) };
    });
    const { page, close } = await open(large);
    const took = await page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const first = performance.getEntriesByName("first-contentful-paint")[0];
      return Math.max(first ? first.startTime : 0, performance.getEntriesByType("navigation")[0].loadEventEnd);
    });
    const size = statSync(large).size / 2 ** 20;
    console.log(`      ${await shown(page)} findings, ${size.toFixed(1)} MB, ${(took / 1000).toFixed(2)} s`);
    assert.ok(took < 2000, `${took} ms`);
    assert.ok(size < 5, `${size} MB`);
    await page.fill("#search", "isbn");
    const start = Date.now();
    await page.waitForFunction((all) => document.getElementById("shown").textContent !== all, await shown(page));
    assert.ok(Date.now() - start < 1500, `a search takes ${Date.now() - start} ms`);
    await close();
  },
};

let failed = 0, passed = 0;
const picture = asked("--picture");
if (picture) {
  const several = written("several.html", "scan", "fixtures/bookshop", "fixtures/clean", "fixtures/kiosk", "fixtures/wires");
  const { page } = await open(several, { viewport: { width: 1100, height: 1280 } });
  // So that operations and findings are both in the picture.
  await page.locator("#states label", { hasText: "violated" }).locator("input").uncheck();
  await page.screenshot({ path: resolve(picture) });
} else {
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      console.log(`ok    ${name}`);
      passed++;
    } catch (error) {
      console.log(`WRONG ${name}: ${error.message}`);
      failed++;
    }
  }
  console.log(`page: ${passed} passed, ${failed} failed`);
}
await browser.close();
rmSync(work, { recursive: true });
process.exit(failed ? 1 : 0);
