import { expect, it } from "vitest";
import { parcels } from "../invented/parcels.ts";
import type { Schema } from "../model.ts";
import { pageSet as api } from "./api.ts";
import { curlOf } from "./curl.ts";
import { pageSet as errors } from "./errors.ts";
import { fieldRows } from "./fields.ts";
import { slugOf, table } from "./markdown.ts";
import { commandLine } from "./shell.ts";

const contract = parcels();

it("has a page for each problem code, with cause and cure, and each in the index", () => {
  const pages = errors.render(contract);
  const names = contract.problems.map(({ code }) => `${code}.md`);
  expect([...pages.keys()]).toEqual(["README.md", ...names]);
  for (const { code, cause, hint } of contract.problems) {
    expect(pages.get(`${code}.md`)).toContain(
      `## Cause\n\n${cause}\n\n## Cure\n\n${hint}\n\n## Reply\n\n\`\`\`json\n{`,
    );
    expect(pages.get("README.md")).toContain(`| [\`${code}\`](${code}.md) | ${cause} |`);
  }
});

it("has every operation on its tag's page, and each in the index", () => {
  const pages = api.render(contract);
  for (const { tag, summary, method, path } of contract.operations) {
    expect(pages.get(`${slugOf(tag)}.md`)).toContain(`## ${summary}\n\n\`${method} ${path}\` · `);
    expect(pages.get("README.md")).toContain(`[${summary}](${slugOf(tag)}.md#${slugOf(summary)})`);
  }
});

it("shows a request with the contract's example, safe for a shell", () => {
  const operation = contract.operations.find(({ body }) => body !== undefined);
  if (operation?.body === undefined) throw new Error("no operation has a body");
  const body = { ...operation.body, examples: [{ name: "quote", value: { note: "it's" } }] };
  expect(curlOf({ ...operation, body })).toContain(`-d '{\n  "note": "it'\\''s"\n}'`);
});

const schemas: Record<string, Schema> = {
  Colour: { type: "string", enum: ["RED", "BLUE"], description: "A colour." },
  Tree: {
    type: "object",
    required: ["colour"],
    properties: {
      colour: { anyOf: [{ $ref: "#/components/schemas/Colour" }, { type: "string" }] },
      height: { type: ["integer", "null"], minimum: 1, maximum: 9, description: "Metres." },
      branches: { type: "array", maxItems: 3, items: { $ref: "#/components/schemas/Tree" }, description: "More." },
    },
  },
};

it("tells fields by path with values and limits, and ends where a component holds itself", () => {
  const rows = fieldRows({ schemas }, { $ref: "#/components/schemas/Tree" }, true);
  expect(rows.slice(0, 3)).toEqual([
    ["`colour` (required)", "`RED`, `BLUE` or others later", "A colour."],
    ["`height`", "integer or null; 1 to 9", "Metres."],
    ["`branches`", "list of object; at most 3 entries", "More."],
  ]);
  expect(rows.map(([path]) => path).at(-1)).toBe("`branches[].branches`");
});

it.each([
  ["a|b", "| a\\|b |"],
  ["a\nb", "| a b |"],
])("keeps %j in one cell", (text, line) => {
  expect(
    table(["x"], [[text]])
      .split("\n")
      .at(-1),
  ).toBe(line);
});

it.each([
  ["Text-to-speech calls", "text-to-speech-calls"],
  ["Don't, say: it", "dont-say-it"],
])("makes of %j the anchor %s", (words, slug) => {
  expect(slugOf(words)).toBe(slug);
});

it.each([
  [["msgctl", "send", "it's"], "msgctl send 'it'\\''s'"],
  [["msgctl", "a", "--on", "--to", "+1", "--text", "$(x) `y`"], "msgctl a --on --to +1 --text '$(x) `y`'"],
  [
    ["msgctl", "send", "sms", "a b", "--on", "--message", "m".repeat(70)],
    `msgctl send sms 'a b' \\\n  --on \\\n  --message ${"m".repeat(70)}`,
  ],
])("writes %j as a shell reads it", (words, line) => {
  expect(commandLine(words)).toBe(line);
});
