import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InProcessService, openInProcessService } from "../in-process.ts";
import { placeholderPages } from "../testing/dashboard-service.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const folder = mkdtempSync(join(tmpdir(), "msgd-docs-"));
const urlOf = (name: string) => pathToFileURL(join(folder, name));
const contractFiles = { yaml: urlOf("openapi.yaml"), json: urlOf("openapi.json"), docs: urlOf("docs/") };
let service: InProcessService;

beforeAll(async () => {
  writeFiles("docs");
  writeFileSync(contractFiles.json, '{"info":{"version":"1.2.3"}}');
  service = await openInProcessService({ contractFiles });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Writes small files in place of those that scripts/docs-assets.ts builds. */
function writeFiles(name: string): void {
  for (const group of ["", "send", "errors"]) mkdirSync(join(folder, name, group), { recursive: true });
  for (const icon of ["icon.svg", "icon.ico"]) copyFileSync(new URL(icon, import.meta.url), join(folder, name, icon));
  for (const file of ["client.js", "style.css", "search.json"])
    writeFileSync(join(folder, name, file), "a;\n".repeat(500));
  for (const page of ["index", "errors", "send/sms", "errors/quota_exceeded"]) {
    const link = '<a href="/dashboard" hidden>Dashboard</a>';
    const button = '<button data-action="demo" hidden>Demo</button>';
    const content = `${link}<h1>${page}</h1>${button.repeat(page === "send/sms" ? 1 : 0)}`;
    writeFileSync(join(folder, name, `${page}.html`), content);
  }
}

const get = (url: string, headers: Record<string, string> = {}) => service.app.inject({ url, headers });

const files = ["/docs/client.js", "/docs/style.css", "/docs/search.json", "/docs/icon.svg", "/favicon.ico"];

describe("the documentation", () => {
  it.each([
    ["/docs", "index"],
    ["/docs/errors", "errors"],
    ["/docs/send/sms", "send/sms"],
    ["/docs/errors/quota_exceeded?from=log", "errors/quota_exceeded"],
  ])("has a page at %s", async (path, title) => {
    const { statusCode, headers, body } = await get(path, { accept: BROWSER });
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(body).toContain(`<h1>${title}</h1>`);
  });

  it("offers the demo credential in development only", async () => {
    expect((await get("/docs/send/sms")).body).toContain('data-action="demo" hidden');
    const development = await openInProcessService({ contractFiles, isDevelopment: true });
    expect((await development.app.inject("/docs/send/sms")).body).toContain('data-action="demo">');
    await development.close();
  });

  it("links to the dashboard only if there is one", async () => {
    expect((await get("/docs")).body).toContain('href="/dashboard" hidden');
    const withDashboard = await openInProcessService({ contractFiles, dashboardFiles: placeholderPages() });
    expect((await withDashboard.app.inject("/docs")).body).toContain('href="/dashboard">');
    await withDashboard.close();
  });

  it.each([...files, "/docs"])("has safe headers, an ETag and compression: %s", async (path) => {
    const plain = await get(path);
    expect(plain.statusCode).toBe(200);
    expect(plain.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      vary: "Accept-Encoding",
      "cache-control": "no-cache",
    });
    const zipped = await get(path, { "accept-encoding": "br, gzip" });
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(zipped.headers.etag).not.toBe(plain.headers.etag);
    for (const accepted of ["gzip;q=0", "br", "identity", "gzip;q=0.0"]) {
      expect((await get(path, { "accept-encoding": accepted })).headers).not.toHaveProperty("content-encoding");
    }
    const tag = String(plain.headers.etag);
    for (const given of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const again = await get(path, { "if-none-match": given });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", tag]);
    }
    expect((await get(path, { "if-none-match": '"other"' })).statusCode).toBe(200);
    const asked = await service.app.inject({ method: "HEAD", url: path });
    expect([asked.statusCode, asked.body, asked.headers.etag]).toEqual([200, "", tag]);
  });

  it("refuses other methods with 405", async () => {
    for (const url of ["/", "/docs", "/docs/send/sms", "/favicon.ico"]) {
      const { statusCode, headers } = await service.app.inject({ method: "POST", url });
      expect([statusCode, headers.allow]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("may load resources from this server only, and creates no markup from scripts", async () => {
    const policy = String((await get("/docs")).headers["content-security-policy"]);
    const rules = new Map(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1).join(" ")]));
    expect(rules.get("default-src")).toBe("'none'");
    for (const kind of ["script-src", "style-src", "img-src", "connect-src"]) expect(rules.get(kind)).toBe("'self'");
    for (const kind of ["base-uri", "form-action", "frame-ancestors"]) expect(rules.get(kind)).toBe("'none'");
    expect(rules.get("require-trusted-types-for")).toBe("'script'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  it("has an icon in a format that all browsers support", async () => {
    const { rawPayload, headers } = await get("/favicon.ico");
    expect(headers["content-type"]).toBe("image/x-icon");
    expect([rawPayload.readUInt16LE(0), rawPayload.readUInt16LE(2), rawPayload.readUInt16LE(4)]).toEqual([0, 1, 1]);
    expect(rawPayload.subarray(rawPayload.readUInt32LE(18)).subarray(1, 4).toString()).toBe("PNG");
  });
});

describe("finding the documentation", () => {
  it.each(["GET", "HEAD"] as const)("%s / redirects a browser to /docs", async (method) => {
    const { statusCode, headers } = await service.app.inject({ method, url: "/", headers: { accept: BROWSER } });
    expect([statusCode, headers.location, headers.vary]).toEqual([303, "/docs", "Accept"]);
  });

  it.each([{}, { accept: "*/*" }, { accept: "text/plain" }, { accept: "application/json, text/plain, */*" }])(
    "/ tells a program with the headers %j what this server is and where its parts are",
    async (headers) => {
      const got = await service.app.inject({ url: "/", headers });
      expect([got.statusCode, got.headers["content-type"], got.headers.vary]).toEqual([
        200,
        "text/plain; charset=utf-8",
        "Accept",
      ]);
      expect(got.body).toBe(
        "msgd sends SMS, calls and email for merchants.\n" +
          "Documentation: /docs\n" +
          "Contract 1.2.3: /openapi.yaml, /openapi.json\n" +
          "Health: /healthz (is it alive?), /readyz (should it receive requests?)\n",
      );
      const head = await service.app.inject({ method: "HEAD", url: "/", headers });
      expect([head.statusCode, head.headers["content-length"], head.body]).toEqual([
        200,
        got.headers["content-length"],
        "",
      ]);
    },
  );

  it("/ refuses a program that accepts only JSON", async () => {
    const reply = await service.app.inject({ url: "/", headers: { accept: "application/json" } });
    expect([reply.statusCode, reply.headers.vary, reply.json().code]).toEqual([406, "Accept", "not_acceptable"]);
    expect(reply.json().detail).toBe("The reply is text/plain, which the Accept header does not accept.");
  });

  it("/docs/ redirects to /docs", async () => {
    const { statusCode, headers } = await get("/docs/");
    expect([statusCode, headers.location]).toEqual([308, "/docs"]);
  });

  const missing = [
    "/docs/send/none",
    "/docs/errors/none",
    "/docs/errors/__proto__",
    "/docs/send/..%2Findex",
    "/docs/client",
    "/docs/send",
    "/nope",
    "/docs/constructor/x",
  ];

  it.each(missing)("an unknown path is answered with a link to /docs: %s", async (url) => {
    const program = await get(url);
    expect([program.statusCode, program.headers["content-type"]]).toEqual([404, "application/problem+json"]);
    expect(program.json()).toMatchObject({ code: "route_not_found", detail: expect.stringContaining("/docs") });
    const browser = await get(url, { accept: BROWSER });
    expect([browser.statusCode, browser.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    expect(browser.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(browser.body).toContain('href="/docs"');
    const asked = await service.app.inject({ method: "HEAD", url, headers: { accept: BROWSER } });
    expect([asked.statusCode, asked.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
  });

  it("unknown paths below /api are answered as the contract says, even to a browser", async () => {
    const { statusCode, headers } = await get("/api/v1/none", { accept: BROWSER });
    expect([statusCode, headers["content-type"]]).toEqual([404, "application/problem+json"]);
  });

  it("an invalid Host header is refused, as in every request", async () => {
    const { statusCode, headers } = await get("/docs", { host: "a b" });
    expect([statusCode, headers["content-type"]]).toEqual([400, "application/problem+json"]);
  });
});

it("a missing file of the documentation is looked for again at the next request", async () => {
  const other = await openInProcessService({ contractFiles: { ...contractFiles, docs: urlOf("later/") } });
  expect((await other.app.inject("/docs")).statusCode).toBe(404);
  expect((await other.app.inject("/docs/style.css")).statusCode).toBe(404);
  writeFiles("later");
  expect((await other.app.inject("/docs")).statusCode).toBe(200);
  expect((await other.app.inject("/docs/style.css")).statusCode).toBe(200);
  await other.close();
});
