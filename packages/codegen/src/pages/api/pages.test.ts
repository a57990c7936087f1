import { expect, it } from "vitest";
import type { Schema } from "../../model.ts";
import { parcels } from "../../testing/parcels.ts";
import { toSlug } from "../markdown.ts";
import { formatCurl } from "./curl.ts";
import { fieldRows } from "./fields.ts";
import { pageSet } from "./pages.ts";

const contract = parcels();

it("has every operation on its tag's page, and each in the index", async () => {
  const pages = await pageSet.render(contract);
  for (const { tag, summary, method, path } of contract.operations) {
    expect(pages.get(`docs/api/${toSlug(tag)}.md`)).toContain(`## ${summary}\n\n\`${method} ${path}\` · `);
    expect(pages.get("docs/api/README.md")).toContain(`[${summary}](${toSlug(tag)}.md#${toSlug(summary)})`);
  }
});

it("shows a request with the contract's example, safe for a shell", () => {
  const operation = contract.operations.find(({ body }) => body !== undefined);
  if (operation?.body === undefined) throw new Error("no operation has a body");
  const body = { ...operation.body, examples: [{ name: "quote", value: { note: "it's" } }] };
  expect(formatCurl({ ...operation, body })).toContain(`-d '{\n  "note": "it'\\''s"\n}'`);
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
