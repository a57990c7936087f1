import { expect, it } from "vitest";
import { renderReplyFields, renderRequestFields } from "./field-list.ts";
import { listAlternatives, listFields } from "./fields.ts";

const schemas = {
  Colour: { type: "string", enum: ["RED", "BLUE"], description: "A colour." },
  Tree: {
    type: "object",
    required: ["colour"],
    properties: {
      colour: { anyOf: [{ $ref: "#/components/schemas/Colour" }, { type: "string", maxLength: 64 }] },
      height: { type: ["integer", "null"], minimum: 1, maximum: 9, default: 3, description: "Metres." },
      fruits: { type: "array", minItems: 1, items: { $ref: "#/components/schemas/Colour" } },
      branches: { type: "array", maxItems: 3, items: { $ref: "#/components/schemas/Tree" }, description: "More." },
      owner: {
        oneOf: [
          { type: "integer", format: "int64" },
          { type: "string", pattern: "^[a-z]+$" },
        ],
      },
      key: { type: "string", "x-secret": true, minLength: 2 },
      kind: { type: "string", const: "tree" },
    },
  },
};
const document = { components: { schemas } };
const fields = listFields(document, { $ref: "#/components/schemas/Tree" });
const byName = Object.fromEntries(fields.map((field) => [field.name, field]));

it("tells type, limits, values and meaning of each field", () => {
  expect(byName.colour).toMatchObject({ isRequired: true, type: "text", values: ["RED", "BLUE"], isOpen: true });
  expect(byName.colour).toMatchObject({ limits: [], description: "A colour." });
  expect(byName.height).toMatchObject({ isRequired: false, type: "whole number or null", description: "Metres." });
  expect(byName.height?.limits).toEqual(["1 to 9", "default 3"]);
  expect(byName.fruits).toMatchObject({ type: "list of texts", values: ["RED", "BLUE"], isOpen: false });
  expect(byName.fruits?.limits).toEqual(["at least 1 entries"]);
  expect(byName.owner).toMatchObject({ type: "whole number or text", limits: ["format int64"], pattern: "^[a-z]+$" });
  expect(byName.key).toMatchObject({ isSecret: true, limits: ["at least 2 characters"] });
  expect(byName.kind).toMatchObject({ values: ["tree"], isOpen: false });
});

it("shows what a field holds inside, and a component that holds itself once", () => {
  expect(byName.branches).toMatchObject({ type: "list of objects", limits: ["at most 3 entries"], fields: [] });
  const holder = {
    type: "object",
    properties: { trees: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
  };
  const [trees] = listFields(document, holder);
  expect(trees?.fields.map(({ name }) => name)).toEqual(Object.keys(schemas.Tree.properties));
});

it("knows of which fields one must be given", () => {
  expect(listAlternatives(document, { anyOf: [{ required: ["a"] }, { required: ["b", "c"] }] })).toEqual([
    ["a"],
    ["b", "c"],
  ]);
});

it("marks what must be given in a request, and folds what is inside", () => {
  const text = renderRequestFields(
    listFields(document, { properties: { tree: schemas.Tree }, required: ["tree"] }),
  ).text;
  expect(text).toContain(
    '<code class="field-name">tree</code> <span class="field-type">object</span> <span class="required">required</span>',
  );
  expect(text).toContain('<details class="inner"><summary>7 fields');
  expect(text).toContain("One of <code>RED</code> <code>BLUE</code> or others later");
  expect(text).toContain("Always <code>tree</code>");
});

it("marks secrets alone in a reply, where every field is there", () => {
  const text = renderReplyFields(fields).text;
  expect(text).not.toContain(">required<");
  expect(text.match(/>secret</g)).toHaveLength(1);
});
