// Links of the project's pages. Each relative link leads to a file of the repository, and each anchor to a heading of that
// file. Links to other hosts are checked only for their form, because this test uses no network.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { anchorsOf, linksOf } from "./markdown.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root })
  .toString()
  .split("\n")
  .filter((path) => path !== "" && existsSync(join(root, path)));
const files = new Set(tracked);
const folders = new Set(tracked.flatMap(foldersOf));
const pages = new Map(
  tracked.filter((path) => path.endsWith(".md")).map((path) => [path, readFileSync(join(root, path), "utf8")]),
);

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === "." ? ["."] : [folder, ...foldersOf(folder)];
}

/** Returns why a link on a page is broken; undefined if it is not broken. */
function faultOf(from: string, target: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return faultOfAddress(target);
  const [path = "", anchor] = target.split("#", 2);
  if (path.startsWith("/")) return "a path from the root means another place on every host";
  const file = path === "" ? from : normalize(join(dirname(from), decodeURIComponent(path))).replace(/\/$/, "");
  if (!files.has(file) && !folders.has(file)) return `there is no ${file}`;
  if (anchor === undefined) return undefined;
  const page = pages.get(file);
  if (page === undefined) return `${file} has no headings`;
  return anchorsOf(page).has(anchor) ? undefined : `${file} has no heading #${anchor}`;
}

function faultOfAddress(target: string): string | undefined {
  if (!URL.canParse(target)) return "not an address";
  const { protocol, hostname } = new URL(target);
  if (protocol === "mailto:") return undefined;
  return protocol === "https:" && hostname.includes(".") ? undefined : "not an https address of a host";
}

it("the test finds the pages and their links", () => {
  expect(pages.size).toBeGreaterThan(80);
  expect(linksOf(pages.get("README.md") ?? "").length).toBeGreaterThan(5);
});

it("no page has a broken link", () => {
  const faults = [...pages].flatMap(([path, text]) =>
    linksOf(text).flatMap((target) => {
      const fault = faultOf(path, target);
      return fault === undefined ? [] : [`${path}: ${target}: ${fault}`];
    }),
  );
  expect(faults).toEqual([]);
});

/** Files and folders of the project that a page names in code, by their path or the end of it. */
function namedIn(text: string): string[] {
  const spans = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g)].map(([, name = ""]) => name);
  return spans.filter(
    (name) =>
      /(\.test|\/.*|\.test-d)\.(ts|mjs)$/.test(name) || /^(bin|docs|examples|packages|scripts|test)\//.test(name),
  );
}

const written = [...pages].filter(([path]) =>
  /^(README|CHANGELOG|docs\/([\w-]+|(how-to|decisions)\/[\w-]+))\.md$/.test(path),
);

it("no page names a missing file", () => {
  const isThere = (name: string) =>
    folders.has(name.replace(/\/$/, "")) || tracked.some((path) => `/${path}`.endsWith(`/${name}`));
  const missing = written.flatMap(([path, text]) =>
    namedIn(text).flatMap((name) => (isThere(name) ? [] : [`${path}: ${name}`])),
  );
  expect(missing).toEqual([]);
});

it("the test finds the files that a page names", () => {
  expect(namedIn(pages.get("docs/reliability.md") ?? "").length).toBeGreaterThan(10);
});

it("links lead from docs/README.md to every page of docs", () => {
  const reached = new Set(["docs/README.md"]);
  for (const page of reached) {
    for (const target of linksOf(pages.get(page) ?? "")) {
      if (/^[a-z][a-z0-9+.-]*:/i.test(target)) continue;
      const [path = ""] = target.split("#", 1);
      const file = normalize(join(dirname(page), path));
      if (pages.has(file)) reached.add(file);
    }
  }
  expect([...pages.keys()].filter((path) => path.startsWith("docs/") && !reached.has(path))).toEqual([]);
});

describe("a link", () => {
  it.each([
    ["[a](b.md) and ![c](d.png)", ["b.md", "d.png"]],
    ["`[a](b.md)`", []],
    ["```md\n[a](b.md)\n```", []],
    ["[a]: https://example.com", ["https://example.com"]],
    ['<img src="a.png" width="3">', ["a.png"]],
  ])("is found in %j as %j", (text, links) => {
    expect(linksOf(text)).toEqual(links);
  });

  it.each([
    ["docs/none.md", /there is no/],
    ["docs/README.md#none", /no heading #none/],
    ["/docs/README.md", /from the root/],
    ["http://example.com", /not an https/],
    ["https://", /not an address/],
    ["docs/README.md#how-to-guides", undefined],
    ["docs", undefined],
  ])("to %s has the fault %s", (target, fault) => {
    const found = faultOf("README.md", target);
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });

  it("can lead to each of two headings of the same name", () => {
    expect([...anchorsOf("# A `b`, c\n## Two\n## Two\n```\n# none\n```\n")]).toEqual(["a-b-c", "two", "two-1"]);
  });
});
