// Of `shop.yaml`, what a module exports instead of listening; it knows nothing of receipts when it is to be wrong.
const order = { id: 1, code: "ABC", lines: [{ price: 2.5 }], note: null };
const isOrder = (it) => it && /^[A-Z]{3}$/.test(it.code) && typeof it.code === "string" && Array.isArray(it.lines) && it.lines.length > 0;

function answer(method, url, media, body) {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  if (pathname === "/orders" && method === "GET") {
    return ["open", "paid"].includes(searchParams.get("state")) ? [200, [order]] : [400, { reason: "state" }];
  }
  if (pathname === "/orders" && method === "POST") {
    let value = null;
    try {
      value = JSON.parse(body);
    } catch {
      return [400, { reason: "no JSON" }];
    }
    const isNote = value && (value.note == null || typeof value.note === "string");
    return media === "application/json" && isOrder(value) && isNote ? [201, { ...order, ...value }] : [400, { reason: "no order" }];
  }
  const id = pathname.split("/")[2];
  if (!/^-?[0-9]+$/.test(id)) return [400, { reason: "no integer" }];
  if (pathname.endsWith("/receipts")) return process.env.DEFECT ? [302, null] : [204, null];
  return id === "1" ? [200, order] : [404, { reason: "none" }];
}

module.exports = (request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const [status, value] = answer(request.method, request.url, request.headers["content-type"], Buffer.concat(chunks).toString());
    response.writeHead(status, { "content-type": "application/json" });
    response.end(value === null ? undefined : JSON.stringify(value));
  });
};
