import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { linksOf } from "../docs/markdown.ts";
import { withAbsoluteLinks } from "./links.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const addresses = { repository: "https://github.com/acme/messages", tag: "v1.0.0" };
const rewrite = (page: string) => withAbsoluteLinks(page, "packages/sdk/README.md", addresses);

describe("a link", () => {
  it.each([
    ["to a file", "[a](../../openapi.yaml)", "/blob/v1.0.0/openapi.yaml"],
    ["to a heading of a file", "[a](../cli/README.md#lists)", "/blob/v1.0.0/packages/cli/README.md#lists"],
    ["to a folder", "[a](../../docs/)", "/tree/v1.0.0/docs"],
    ["whose text has code and brackets", "[`a[]` [b] c](../../LICENSE)", "/blob/v1.0.0/LICENSE"],
    ["over two lines", "[a\nb](../../LICENSE)", "/blob/v1.0.0/LICENSE"],
    ["to an image", "![a](../../docs/images/api.png)", "/raw/v1.0.0/docs/images/api.png"],
  ])("%s becomes absolute", (_, page, path) => {
    expect(linksOf(rewrite(page))).toEqual([addresses.repository + path]);
  });

  it("of an image that is itself a link becomes absolute, as does the image", () => {
    expect(rewrite("[![a](../../docs/images/api.png)](../../docs/README.md)")).toBe(
      `[![a](${addresses.repository}/raw/v1.0.0/docs/images/api.png)](${addresses.repository}/blob/v1.0.0/docs/README.md)`,
    );
  });

  it.each([
    "[a](#first-send)",
    "[a](https://example.com/b#c)",
    "[a](mailto:a@example.com)",
    "`[a](../../none.md)`",
    "```md\n[a](../../none.md)\n```",
    "f(x)(y) and [1](",
  ])("in %j stays as it is", (page) => expect(rewrite(page)).toBe(page));

  it.each(["[a](none.md)", "[a](../../../outside.md)"])("%s to a missing file is refused", (page) => {
    expect(() => rewrite(page)).toThrow(/^packages\/sdk\/README\.md: the link \S+ leads to no file\.$/);
  });

  it.each(["[a]: ../../LICENSE", '<img src="../../docs/images/api.png">', "[a](<../../LICENSE>)"])(
    "in the form %s is refused",
    (page) => expect(() => rewrite(page)).toThrow(/is not of the form \[text\]\(target\)/),
  );
});

it("the README of every package can be read on another site", () => {
  const folders = readdirSync(join(root, "packages")).filter((folder) =>
    readdirSync(join(root, "packages", folder)).includes("README.md"),
  );
  expect(folders).toEqual(expect.arrayContaining(["cli", "conformance", "mocks", "sdk", "server"]));
  for (const folder of folders) {
    const file = `packages/${folder}/README.md`;
    const links = linksOf(withAbsoluteLinks(readFileSync(join(root, file), "utf8"), file, addresses));
    expect(links.filter((link) => !/^(?:#|https:\/\/)/.test(link))).toEqual([]);
  }
});
