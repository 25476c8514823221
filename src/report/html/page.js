"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
// Characters that change how a text is shown are shown themselves.
const clean = text => String(text ?? "").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
  it => "\\u{" + it.codePointAt(0).toString(16) + "}");
const by = id => document.getElementById(id);
function make(name, attributes, ...children) {
  const it = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "on") it.addEventListener(...value); else if (value !== false && value != null) it.setAttribute(key, value === true ? "" : value);
  }
  it.append(...children.map(child => child instanceof Node ? child : clean(child)));
  return it;
}
function draw(name, attributes, text) {
  const it = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) it.setAttribute(key, value);
  if (text != null) it.textContent = clean(text);
  return it;
}
// A sentence whose `quoted` parts are code.
const words = text => clean(text).split(/`([^`]+)`/).map((part, at) => at % 2 ? make("code", {}, part) : part);
const many = (count, one) => count + " " + one + (count === 1 ? "" : "s");
const href = (file, line) => file.split("/").map(encodeURIComponent).join("/") + "#L" + line;
const link = (file, line) => make("a", { href: href(file, line) }, make("code", {}, file + ":" + line));

const count = severity => data.findings.filter(it => it.severity === severity).length;
const verified = data.operations.filter(it => it.state === "verified").length;
by("totals").textContent = [many(count("error"), "error"), many(count("warning"), "warning"), many(count("info"), "note"),
  data.suppressed ? data.suppressed + " suppressed" : "", verified + " of " + many(data.operations.length, "operation") + " verified",
  many(data.files, "file") + " read", "treaty " + data.treaty].filter(Boolean).join(" · ");

// The map: services on the left, contracts on the right, an edge for each pair that has to do with each other.
(function map() {
  const used = [...new Set(data.edges.map(it => it.service))], kept = [...new Set(data.edges.map(it => it.contract))];
  if (!data.edges.length) { by("map").append(make("p", { class: "soft" }, "No service was found that has to do with a contract.")); return; }
  const row = 46, width = 900, box = 300, height = Math.max(used.length, kept.length) * row + 10;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": data.edges.map(it => data.services[it.service].name + " " +
    it.kind + " " + data.contracts[it.contract].file + (it.broken ? ", " + many(it.broken, "disagreement") : "")).map(clean).join("; ") });
  const y = (list, at) => list.indexOf(at) * row + 24 + (Math.max(used.length, kept.length) - list.length) * row / 2;
  for (const it of data.edges) {
    const from = y(used, it.service), to = y(kept, it.contract);
    const path = draw("path", { class: it.kind + (it.broken ? " bad" : ""), d: `M${box} ${from} C${width / 2} ${from} ${width / 2} ${to} ${width - box} ${to}` });
    path.append(draw("title", {}, it.kind + (it.broken ? ", " + many(it.broken, "disagreement") : "")));
    svg.append(path);
  }
  const short = text => text.length > 40 ? "…" + text.slice(-39) : text;
  function node(x, middle, title, under, bad) {
    const group = draw("g", { class: bad ? "bad" : "" });
    group.append(draw("rect", { class: "node", x, y: middle - 19, width: box, height: 38, rx: 6 }), draw("text", { x: x + 10, y: middle - 3 }, short(title)),
      draw("text", { x: x + 10, y: middle + 12, class: "under" }, short(under)), draw("title", {}, title));
    svg.append(group);
  }
  const isBad = (key, at) => data.edges.some(it => it[key] === at && it.broken);
  for (const at of used) {
    const it = data.services[at];
    node(0, y(used, at), it.name, [it.frameworks, many(it.routes, "route")].filter(Boolean).join(" · "), isBad("service", at));
  }
  for (const at of kept) node(width - box, y(kept, at), data.contracts[at].file, data.contracts[at].title, isBad("contract", at));
  by("map").append(svg);
})();

// A box for each value; what is not ticked is not shown.
function boxes(place, values, changed) {
  const on = new Set(values.filter(it => it[1]).map(it => it[0]));
  for (const [name, ticked, number] of values) {
    const box = make("input", { type: "checkbox", checked: ticked, on: ["change", () => { box.checked ? on.add(name) : on.delete(name); changed(); }] });
    place.append(make("label", {}, box, " ", make("span", { class: name }, name), " " + number));
  }
  return on;
}

(function matrix() {
  const names = ["violated", "missing", "unknown", "verified", "ignored"];
  const number = name => data.operations.filter(it => it.state === name).length;
  const values = names.filter(number).map(name => [name, true, number(name)]);
  const place = by("matrix");
  if (!data.operations.length) { place.append(make("p", { class: "soft" }, "No operation of a contract was compared.")); return; }
  const on = boxes(by("states"), values, show);
  function show() {
    const body = make("tbody");
    for (const it of data.operations.filter(it => on.has(it.state))) {
      body.append(make("tr", {}, make("td", {}, make("code", {}, it.title)), make("td", { class: "tag " + it.state }, it.state), make("td", {}, ...words(it.reason)),
        make("td", {}, link(it.file, it.line)), make("td", { class: "soft" }, data.services[it.service].name)));
    }
    const head = make("tr", {}, ...["operation", "state", "why", "where", "service"].map(it => make("th", { scope: "col" }, it)));
    place.replaceChildren(make("table", {}, make("thead", {}, head), body));
  }
  show();
})();

function side(title, place, more) {
  const it = make("div", { class: "side" }, make("p", {}, title + " ", link(place.file, place.line), more ? make("span", { class: "soft" }, " " + more) : ""));
  if (place.lines.length) {
    const lines = place.lines.map((text, at) => {
      const line = place.first + at;
      return make("span", { "data-line": line, class: line >= place.line && line <= place.end ? "hit" : "" }, text + " ");
    });
    it.append(make("pre", { tabindex: 0 }, ...lines));
  }
  return it;
}

(function findings() {
  const severities = ["error", "warning", "info"].filter(count);
  const on = boxes(by("severities"), severities.map(it => [it, true, count(it)]), show);
  for (const rule of [...new Set(data.findings.map(it => it.rule))].sort()) by("rule").append(make("option", { value: rule }, rule));
  by("rule").addEventListener("change", show);
  let wait;
  by("search").addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(show, 120); });
  const told = data.findings.map(it => [it.rule, it.name, it.message, it.operation, it.code.file, it.contract && it.contract.file].join(" ").toLowerCase());
  let most = 200;
  function show() {
    const wanted = by("search").value.toLowerCase().split(/\s+/).filter(Boolean), rule = by("rule").value;
    const all = data.findings.filter((it, at) => on.has(it.severity) && (!rule || it.rule === rule) && wanted.every(word => told[at].includes(word)));
    by("shown").textContent = all.length + " of " + data.findings.length;
    const rows = all.slice(0, most).map(it => {
      const head = make("summary", {}, make("span", { class: "tag " + it.severity }, it.severity), " ", make("code", {}, it.rule), " ", ...words(it.message),
        it.operation ? make("span", { class: "soft" }, " · " + it.operation) : "");
      const row = make("details", {}, head);
      // What nobody opens is not drawn.
      row.addEventListener("toggle", () => {
        if (!row.open || row.children.length > 1) return;
        const sides = make("div", { class: "sides" }, side("code", it.code));
        if (it.contract) sides.append(side("contract", it.contract, it.pointer));
        // The place in the contract is shown already.
        const isShown = place => it.contract && place.file === it.contract.file && place.line === it.contract.line;
        it.related.filter(other => !isShown(other.place)).forEach(other => sides.append(side(other.text, other.place)));
        row.append(make("div", {}, sides, it.help ? make("p", {}, "help: ", ...words(it.help)) : ""));
      });
      return row;
    });
    if (all.length > most) rows.push(make("button", { type: "button", on: ["click", () => { most += 1000; show(); }] }, many(all.length - most, "more finding")));
    if (!all.length) rows.push(make("p", { class: "soft" }, data.findings.length ? "Nothing fits." : "Code and contracts agree, as far as they were compared."));
    by("list").replaceChildren(...rows);
    if (rows[0].tagName === "DETAILS") rows[0].open = true;
  }
  show();
})();

for (const it of data.problems) {
  by("problems").append(make("li", {}, make("span", { class: "soft" }, it.kind + " "), it.file ? (it.line ? link(it.file, it.line) : make("code", {}, it.file)) : "", " ", ...words(it.message),
    it.help ? make("span", { class: "soft" }, " (", ...words(it.help), ")") : ""));
}
if (!data.problems.length) by("problems").append(make("li", { class: "soft" }, "nothing"));
