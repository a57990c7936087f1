import { readFileSync } from "node:fs";
import { operations, problems } from "@msgctl/contract";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { requestExamples } from "../../generated/request-examples.ts";
import { findEntries } from "./client/search-ranking.ts";
import { escapeHtml, prose } from "./html.ts";
import { createSite } from "./site.ts";

const document = parse(readFileSync(new URL("../../../../../openapi.yaml", import.meta.url), "utf8"));
const sources = { document, problems, requestExamples, isDevelopment: false };
const site = createSite(sources);
const pages = new Map([...site.pages].map(([path, render]) => [path, render()]));
const pageOf = (path: string) => pages.get(path) ?? "";
const searchEntries = site.listEntries();
const entries = Object.values(operations);
const hrefOf = ({ group, name }: { group: string; name: string }) => `/docs/${group}/${name}`;

describe("the pages", () => {
  it("say of each operation what it takes and answers", () => {
    for (const operation of entries) {
      const page = pageOf(hrefOf(operation));
      const said = [
        ...[operation.path, ...operation.pathParameters, ...operation.queryParameters].map(escapeHtml),
        ...Object.values(operation.errors).flatMap((codes) =>
          (codes as readonly string[]).map((code) => `href="/docs/errors/${code}"`),
        ),
        `<a href="${hrefOf(operation)}" aria-current="page">`,
      ];
      const { operationId } = operation;
      const unsaid = said.filter((part) => !page.includes(part));
      expect.soft(unsaid, operationId).toEqual([]);
      expect.soft(page.match(/aria-current="page"/g), operationId).toHaveLength(1);
    }
  });

  it("has none that the group of an operation could hide", () => {
    expect(entries.map(({ group }) => group)).not.toContain("errors");
    expect(new Set(entries.map(hrefOf)).size).toBe(entries.length);
  });

  it("tell when each error occurs and what to do", () => {
    const list = pageOf("/docs/errors");
    for (const [code, { cause, hint }] of Object.entries(problems)) {
      const page = pageOf(`/docs/errors/${code}`);
      expect.soft(page, code).toContain(`<h2>When</h2>${prose(cause).text}`);
      expect.soft(page, code).toContain(`<h2>What to do</h2>${prose(hint).text}`);
      expect.soft(list).toContain(`href="/docs/errors/${code}"`);
    }
  });

  it("shows every event that the service posts", () => {
    for (const type of Object.keys(document.webhooks)) expect(pageOf("/docs/callbacks")).toContain(`<h2 id="${type}">`);
  });

  it("shows the three examples of the generator, as they are", () => {
    const page = pageOf("/docs/send/sms").replaceAll(/<\/?span[^>]*>/g, "");
    const { curl = "", msgctl = "", typescript = "" } = requestExamples.sendSms ?? {};
    for (const text of [curl, msgctl, typescript])
      expect(page).toContain(`<pre><code>${escapeHtml(text)}</code></pre>`);
  });

  it("offers the demo credential in development only, and asks before what is charged for", () => {
    const development = createSite({ ...sources, isDevelopment: true }).pages.get("/docs/send/sms")?.();
    expect(development).toContain('data-action="demo"');
    expect(pageOf("/docs/send/sms")).not.toContain('data-action="demo"');
    expect(pageOf("/docs/send/sms")).toContain("<dialog");
    expect(pageOf("/docs/merchants/list")).not.toContain("<dialog");
  });

  it("are well-formed and load nothing from elsewhere", () => {
    for (const [path, page] of pages) {
      expect.soft(faultsOf(page), path).toEqual([]);
      const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
      const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
      expect.soft(twice, path).toEqual([]);
      const referred = [...page.matchAll(/ (?:for|aria-controls|aria-labelledby|popovertarget)="([^"]+)"/g)];
      const dangling = referred.filter(([, id]) => !ids.includes(id));
      expect.soft(dangling, path).toEqual([]);
      const targets = Array.from(page.matchAll(/ (?:src|href|action)="([^"]*)"/g), ([, target = ""]) => target);
      const elsewhere = targets.filter((target) => !/^(?:\/(?!\/)|#)/.test(target));
      expect.soft(elsewhere, path).toEqual([]);
      expect.soft(page, path).not.toMatch(/ style="| on\w+="|<style|javascript:/);
      expect.soft(page.match(/<script[^>]*>/g), path).toEqual(['<script type="module" src="/docs/client.js">']);
      expect.soft(page.match(/<h1/g), path).toHaveLength(1);
    }
  });
});

/** What a parser would have to guess: a tag that closes nothing, or is not closed. */
function faultsOf(page: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  const text = page.replace("<!doctype html>", "");
  const tag = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>|[<>]/g;
  for (const [all, slash, name = "", attributes = ""] of text.matchAll(tag)) {
    const names = attributes.replaceAll(/="[^"]*"/g, "").split(" ");
    if (new Set(names).size < names.length) faults.push(`twice: ${all}`);
    if (name === "") faults.push(`stray ${all}`);
    else if (slash === "/") {
      const last = open.pop();
      if (last !== name) faults.push(`</${name}> closes <${last}>`);
    } else if (!["meta", "link", "input", "br"].includes(name)) {
      if (name === "p" && open.at(-1) === "p") faults.push("a paragraph in a paragraph");
      open.push(name);
    }
  }
  return [...faults, ...open.map((name) => `<${name}> is open`)];
}

it("finds what is not well-formed", () => {
  expect(faultsOf("<p><b>x</p>")).not.toEqual([]);
  expect(faultsOf("<p>a < b</p>")).not.toEqual([]);
  expect(faultsOf('<p class="a">x</p><input name="b">')).toEqual([]);
});

it("leads from the index to every page, and from every page nowhere but to pages", () => {
  const others = new Set(["/openapi.yaml", "/openapi.json", "/docs/client.js", "/docs/style.css", "/docs/icon.svg"]);
  const reached = new Set(["/docs"]);
  for (const path of reached) {
    for (const [, target = ""] of pageOf(path).matchAll(/ href="([^"]+)"/g)) {
      const [to = "", anchor] = target.split("#", 2);
      const page = to === "" ? path : to;
      if (others.has(page)) continue;
      expect(site.pages.has(page), `${target} on ${path}`).toBe(true);
      if (anchor !== undefined) expect(pageOf(page)).toContain(` id="${anchor}"`);
      reached.add(page);
    }
  }
  expect([...reached].sort()).toEqual([...site.pages.keys()].sort());
});

describe("the search", () => {
  it("finds each operation by id, path, method and path, and command", () => {
    const found = (query: string) => findEntries(searchEntries, query).map(({ href }) => href);
    for (const operation of entries) {
      const { operationId, method, path, group, name } = operation;
      for (const query of [operationId, operationId.toUpperCase(), `${method} ${path}`, `msgctl ${group} ${name}`]) {
        expect.soft(found(query)[0], query).toBe(hrefOf(operation));
      }
      // GET and POST share paths
      for (const query of [path, `${group} ${name}`]) expect.soft(found(query), query).toContain(hrefOf(operation));
    }
  });

  it("finds every error by its code, and leads to pages alone", () => {
    for (const code of Object.keys(problems)) {
      expect(findEntries(searchEntries, code)[0]?.href).toBe(`/docs/errors/${code}`);
    }
    for (const { href } of searchEntries) expect(site.pages.has(href.split("#", 1)[0] ?? "")).toBe(true);
  });
});

it("escapes whatever the contract says", () => {
  const hostile = `"'><script>alert('1')</script><img src=x onerror=1>\${1}`;
  const schema = {
    type: "object",
    title: hostile,
    description: hostile,
    properties: {
      [hostile]: {
        type: hostile,
        enum: [hostile],
        pattern: hostile,
        format: hostile,
        default: hostile,
        description: hostile,
      },
    },
  };
  const content = { [hostile]: { schema, examples: { [hostile]: { summary: hostile, value: hostile } } } };
  const parameters = ["path", "query", hostile].map((place) => ({
    name: hostile,
    in: place,
    required: true,
    example: hostile,
    description: hostile,
    schema: { type: hostile },
  }));
  const responses = {
    200: { description: hostile, content },
    400: { content: { [hostile]: { examples: { [hostile]: {} } } } },
  };
  const operation = {
    operationId: hostile,
    summary: hostile,
    description: `${hostile} \`${hostile}\` **${hostile}**`,
    tags: [hostile],
    "x-msgctl": { group: hostile, name: hostile, cost: hostile },
    parameters,
    requestBody: { content },
    responses,
  };
  const { pages } = createSite({
    document: {
      info: { title: hostile, version: hostile, summary: hostile, description: hostile },
      servers: [{ url: hostile }],
      tags: [{ name: hostile, description: hostile }],
      paths: { [`/${hostile}`]: { post: operation } },
      webhooks: { [hostile]: { post: operation } },
    },
    problems: { [hostile]: { status: 400, title: hostile, cause: hostile, hint: hostile } },
    requestExamples: { [hostile]: { curl: hostile, msgctl: hostile, typescript: hostile } },
    isDevelopment: true,
  });
  expect(pages.size).toBe(5);
  for (const [path, render] of pages) {
    const page = render();
    expect(page, path).not.toMatch(/<script(?! type="module" src="\/docs\/client\.js">)|<img|"'>/);
    expect(faultsOf(page), path).toEqual([]);
  }
});
