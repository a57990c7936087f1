// The contract's own pages, as Markdown and as HTML.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readContract } from "../../document/contract.ts";
import { toSlug } from "../markdown.ts";
import { pageSet } from "./as-markdown.ts";
import { formatCurl } from "./calls.ts";
import { prose } from "./html.ts";
import { renderSite } from "./site.ts";

const contract = readContract(
  readFileSync(new URL("../../../../../openapi.yaml", import.meta.url), "utf8"),
  "openapi.yaml",
);
const { operations, problems, callbacks } = contract;
const hrefOf = ({ command: { group, name } }: (typeof operations)[number]) => `/docs/${group}/${name}`;

const { "search.json": _, ...texts } = Object.fromEntries(renderSite(contract));
const pages = new Map(
  Object.entries(texts).map(([file, text]) => [`/docs/${file}`.replace(/\/index\.html$|\.html$/, ""), text]),
);
const pageOf = (path: string) => pages.get(path) ?? "";

/** Finds faults in HTML: a closing tag without an opening one, or an unclosed tag. */
function faultsOf(page: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  const text = page.replace("<!doctype html>", "");
  const tag = /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z-]+(?:="[^"<>]*")?)*)>|[<>]/g;
  for (const [all, slash, name = "", attributes = ""] of text.matchAll(tag)) {
    const names = attributes.replaceAll(/="[^"]*"/g, "").split(" ");
    if (new Set(names).size < names.length) faults.push(`twice: ${all}`);
    if (name === "") faults.push(`stray ${all}`);
    else if (slash === "/") {
      const last = open.pop();
      if (last !== name) faults.push(`</${name}> closes <${last}>`);
    } else if (!["meta", "link", "input", "br", "img"].includes(name)) {
      if (name === "p" && open.at(-1) === "p") faults.push("a paragraph in a paragraph");
      open.push(name);
    }
  }
  return [...faults, ...open.map((name) => `<${name}> is open`)];
}

describe("as HTML", () => {
  it("describes the input and the reply of each operation", () => {
    expect(operations.map(({ command }) => command.group)).not.toContain("errors");
    expect(new Set(operations.map(hrefOf)).size).toBe(operations.length);
    for (const operation of operations) {
      const page = pageOf(hrefOf(operation));
      const codes = operation.errors.flatMap((error) => error.codes);
      const said = [
        ...[operation.path, ...operation.parameters.map(({ name }) => `<code class="field-name">${name}</code>`)],
        ...codes.map((code) => `href="/docs/errors/${code}"`),
        `<a href="${hrefOf(operation)}" aria-current="page">`,
      ];
      expect.soft(said.filter((part) => !page.includes(part))).toEqual([]);
      expect.soft(page.match(/aria-current="page"/g)).toHaveLength(1);
    }
  });

  it("asks for confirmation of a billable operation, and lets msgd offer the demo credential", () => {
    expect(pageOf("/docs/send/sms")).toContain("<dialog");
    expect(pageOf("/docs/merchants/list")).not.toContain("<dialog");
    for (const operation of operations)
      expect(pageOf(hrefOf(operation)).match(/data-action="demo" hidden/g)).toHaveLength(1);
  });

  it("lets msgd show a link to its dashboard on every page", () => {
    for (const [path, page] of pages) expect.soft(page.match(/href="\/dashboard" hidden/g), path).toHaveLength(1);
  });

  it("is well-formed and loads nothing from elsewhere", () => {
    expect(
      ["<p><b>x</p>", "<p>a < b</p>", '<p a="b" a="b"></p>'].filter((text) => faultsOf(text).length === 0),
    ).toEqual([]);
    for (const [path, page] of pages) {
      expect.soft(faultsOf(page), path).toEqual([]);
      const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
      expect
        .soft(
          ids.filter((id, place) => ids.indexOf(id) !== place),
          path,
        )
        .toEqual([]);
      const referred = [...page.matchAll(/ (?:for|aria-controls|aria-labelledby|popovertarget)="([^"]+)"/g)];
      expect
        .soft(
          referred.filter(([, id]) => !ids.includes(id)),
          path,
        )
        .toEqual([]);
      const targets = Array.from(page.matchAll(/ (?:src|href|action)="([^"]*)"/g), ([, target = ""]) => target);
      expect
        .soft(
          targets.filter((target) => !/^(?:\/(?!\/)|#)/.test(target)),
          path,
        )
        .toEqual([]);
      expect.soft(page, path).not.toMatch(/ style="| on\w+="|<style|javascript:/);
      expect.soft(page.match(/<script[^>]*>/g), path).toEqual(['<script type="module" src="/docs/client.js">']);
      expect.soft(page.match(/<h1/g), path).toHaveLength(1);
    }
  });

  it("leads from the index to every page, and links only to pages", () => {
    const others = new Set([
      "/dashboard",
      "/openapi.yaml",
      "/openapi.json",
      "/docs/client.js",
      "/docs/style.css",
      "/docs/icon.svg",
    ]);
    const reached = new Set(["/docs"]);
    for (const path of reached) {
      for (const [, target = ""] of pageOf(path).matchAll(/ href="([^"]+)"/g)) {
        const [to = "", anchor] = target.split("#", 2);
        const page = to === "" ? path : to;
        if (others.has(page)) continue;
        expect(pages.has(page), `${target} on ${path}`).toBe(true);
        if (anchor !== undefined) expect(pageOf(page)).toContain(` id="${anchor}"`);
        reached.add(page);
      }
    }
    expect([...reached].sort()).toEqual([...pages.keys()].sort());
  });
});

describe("as Markdown", async () => {
  const files = await pageSet.render(contract);

  it("has every operation on its tag's page, and each in the index", () => {
    for (const { tag, summary, method, path } of operations) {
      expect(files.get(`docs/api/${toSlug(tag)}.md`)).toContain(`## ${summary}\n\n\`${method} ${path}\` · `);
      expect(files.get("docs/api/README.md")).toContain(`[${summary}](${toSlug(tag)}.md#${toSlug(summary)})`);
    }
  });

  it("names fields by path, with values and limits", () => {
    const sms = files.get("docs/api/messages.md");
    expect(sms).toContain(
      "| `to` (required) | text; format e164; at most 16 characters | The recipient's number in E.164. |",
    );
    expect(sms).toContain(
      "| `channel` | `SMS`, `VOICE`, `EMAIL`; new values may be added | The channel by which the message is sent. |",
    );
    expect(files.get("docs/api/voice-provisioning.md")).toMatch(/^\| `sipUsers\[\]\.\w+` \|/m);
  });

  it("says when each error occurs and how to resolve it, like the HTML", () => {
    for (const { code, cause, hint } of problems) {
      const text = `## When\n\n${cause}\n\n## What to do\n\n${hint}\n\n## Reply\n\n\`\`\`json\n{`;
      expect.soft(files.get(`docs/errors/${code}.md`)).toContain(text);
      expect.soft(files.get("docs/errors/README.md")).toContain(`| [\`${code}\`](${code}.md) | ${cause} |`);
      const page = pageOf(`/docs/errors/${code}`);
      for (const words of [cause, hint]) expect.soft(page.includes(prose(words).text), code).toBe(true);
    }
  });

  it("shows every event that the service posts, like the HTML", () => {
    for (const { type, summary } of callbacks) {
      expect(pageOf("/docs/callbacks")).toContain(`<h2 id="${type}">`);
      expect(files.get("docs/api/callbacks.md")).toContain(`## ${summary}\n\nPOST \`${type}\``);
    }
  });
});

it("shows a request with the contract's example, safe for a shell", () => {
  const operation = operations.find(({ body }) => body !== undefined);
  if (operation?.body === undefined) throw new Error("no operation has a body");
  const body = { ...operation.body, examples: [{ name: "quote", value: { note: "it's" } }] };
  expect(formatCurl({ ...operation, body })).toContain(`-d '{\n  "note": "it'\\''s"\n}'`);
});
