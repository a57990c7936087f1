import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { operations, problems } from "@msgctl/contract";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { replyWithProblem } from "../problems.ts";
import { CONTENT_SECURITY_POLICY } from "./frame.ts";
import { html, prose } from "./html.ts";
import { renderContract, renderProblem } from "./pages.ts";
import { addDocsRoutes } from "./routes.ts";

const document = parse(readFileSync(new URL("../../../../../openapi.yaml", import.meta.url), "utf8"));
const page = renderContract(document, problems);

describe("the contract's page", () => {
  it("has every operation, schema and problem code", () => {
    for (const id of Object.keys(operations)) expect(page).toContain(`<section id="${id}">`);
    for (const name of Object.keys(document.components.schemas))
      expect(page).toContain(`<section id="schema-${name}">`);
    for (const code of Object.keys(problems)) expect(page).toContain(`href="/docs/errors/${code}"`);
  });

  it("has no link that leads nowhere on it", () => {
    const ids = new Set(Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
    for (const [, target = ""] of page.matchAll(/href="#([^"]+)"/g)) expect(ids.has(target), target).toBe(true);
  });

  it("loads nothing: no script, no address of another host in an attribute", () => {
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object|form)\b/);
    expect(page).not.toMatch(/(?:src|href)="(?!#|\/)/);
    const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
    expect(CONTENT_SECURITY_POLICY).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
    expect(style).not.toContain("url(");
  });

  it("tells what an operation takes and answers", () => {
    const [, section = ""] = /<section id="sendSms">([\s\S]*?)<\/section>/.exec(page) ?? [];
    for (const part of [
      "Idempotency-Key",
      "#schema-V1OmniSmsSendRequest",
      "#schema-DispatchResponse",
      "quota_exceeded",
      "msgctl send sms",
    ]) {
      expect(section).toContain(part);
    }
  });

  it("escapes whatever the contract says", () => {
    const hostile = `"><script>alert('1')</script>`;
    const info = { title: hostile, version: hostile, description: `${hostile} \`${hostile}\` **${hostile}**` };
    const paths = {
      [`/${hostile}`]: { get: { operationId: hostile, summary: hostile, tags: [hostile], responses: {} } },
    };
    const text = renderContract(
      { info, paths, tags: [{ name: hostile }], components: { schemas: { [hostile]: {} } } },
      {},
    );
    expect(text).not.toContain("<script>");
  });
});

it("has a page for a problem code", () => {
  const text = renderProblem("quota_exceeded", problems.quota_exceeded);
  for (const part of ["quota_exceeded", "402", problems.quota_exceeded.title, "msgctl billing upgrade"]) {
    expect(text).toContain(part);
  }
});

it.each(Object.entries(problems))("tells when %s occurs and what to do", (code, entry) => {
  const text = renderProblem(code, entry);
  expect(text).toContain(`<h2>When</h2>${prose(entry.cause).text}`);
  expect(text).toContain(`<h2>What to do</h2>${prose(entry.hint).text}`);
});

it.each([
  ["a `<b>` **bold** *word*", "<p>a <code>&lt;b&gt;</code> <strong>bold</strong> <em>word</em></p>"],
  ["one\n\ntwo", "<p>one</p><p>two</p>"],
  ["2 * 3 * 4", "<p>2 * 3 * 4</p>"],
  [undefined, ""],
])("reads %j as %s", (text, expected) => {
  expect(prose(text).text).toBe(expected);
});

it("escapes values, not what it made", () => {
  expect(html`<a>${["<", html`<b>${'"'}</b>`]}${null}${1}</a>`.text).toBe("<a>&lt;<b>&quot;</b>1</a>");
});

describe("the routes", () => {
  const open = (contract: string) => {
    const app = fastify();
    app.setErrorHandler(replyWithProblem);
    addDocsRoutes(app, new URL(contract, import.meta.url));
    return app;
  };

  it("answer with a page that a browser lets do nothing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "msgd-docs-"));
    const file = join(folder, "openapi.json");
    const served = open(pathToFileURL(file).href);
    expect((await served.inject("/docs")).statusCode).toBe(500);
    writeFileSync(file, JSON.stringify(document));
    const reply = await served.inject("/docs");
    expect([reply.statusCode, reply.body]).toEqual([200, page]);
    expect(reply.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "x-content-type-options": "nosniff",
    });
    await served.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ["quota_exceeded", 200],
    ["nothing", 404],
    ["__proto__", 404],
    ["constructor", 404],
  ])("know the code %s: %d", async (code, status) => {
    const app = open("file:///nowhere");
    expect((await app.inject(`/docs/errors/${code}`)).statusCode).toBe(status);
    await app.close();
  });
});
