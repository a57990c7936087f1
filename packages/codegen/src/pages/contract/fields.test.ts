import { expect, it } from "vitest";
import type { Schema } from "../../model.ts";
import { fieldsOf } from "./fields.ts";

const schemas: Record<string, Schema> = {
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
      key: { type: "string", "x-secret": true, minLength: 2, maxLength: 2 },
      kind: { type: "string", const: "tree" },
    },
  },
};
const fields = fieldsOf({ schemas }, { $ref: "#/components/schemas/Tree" });

it("each field is listed with its type, limits, values and meaning", () => {
  expect(fields).toMatchObject([
    { isRequired: true, type: "text", limits: [], values: ["RED", "BLUE"], isOpen: true, description: "A colour." },
    { isRequired: false, type: "whole number or null", limits: ["1 to 9", "default 3"], description: "Metres." },
    { type: "list of texts", isList: true, limits: ["at least 1 entry"], values: ["RED", "BLUE"], isOpen: false },
    { type: "list of objects", limits: ["at most 3 entries"], description: "More." },
    { type: "whole number or text", limits: ["format int64"], pattern: "^[a-z]+$" },
    { isSecret: true, limits: ["2 characters"] },
    { values: ["tree"], isOpen: false },
  ]);
});

it("a recursive component is shown once", () => {
  expect(fields.find(({ name }) => name === "branches")?.fields).toEqual([]);
  const forest = { properties: { trees: { type: "array", items: { $ref: "#/components/schemas/Tree" } } } } as const;
  const [trees] = fieldsOf({ schemas }, forest);
  expect(trees?.fields.map(({ name }) => name)).toEqual(Object.keys(schemas.Tree?.properties ?? {}));
});
