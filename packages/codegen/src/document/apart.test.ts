import { describe, expect, it } from "vitest";
import { carrierAdapterArtefacts } from "../artefacts/carrier-adapter.ts";
import { readApart } from "./contract.ts";

const ferry = `
openapi: 3.1.0
info: { title: Ferry, version: 1.0.0 }
tags: [{ name: Crates, description: What is on board. }]
paths:
  /crates/{id}:
    put:
      operationId: putCrate
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Crate" } } } }
      responses:
        "204": { description: It is on board. }
        "429": { description: The ferry is full. }
components:
  schemas:
    Crate:
      oneOf: [{ $ref: "#/components/schemas/Wet" }, { $ref: "#/components/schemas/Dry" }]
    Wet: { type: object, required: [kind], properties: { kind: { type: string, const: wet, description: Its kind. } } }
    Dry: { type: object, required: [kind], properties: { kind: { type: string, const: dry, description: Its kind. } } }
`;

const render = async (text: string) => {
  const document = readApart(text, "ferry.yaml");
  return Promise.all(carrierAdapterArtefacts.map((artefact) => artefact.render(document)));
};

describe("a document of its own", () => {
  it("gives types and schemas, whatever its replies are", async () => {
    const [types, schemas] = await render(ferry);
    expect(types).toContain('Crate: components["schemas"]["Wet"] | components["schemas"]["Dry"];');
    expect(types).toContain('export type Schemas = components["schemas"];');
    expect(schemas).toContain('Crate: { $id: "Crate", oneOf: [{ $ref: "Wet#" }, { $ref: "Dry#" }] }');
    expect(`${types}${schemas}`).not.toContain("import");
  });

  it.each([
    ["a reference that leads nowhere", "Crate:", "Box:", "$ref #/components/schemas/Crate leads nowhere"],
    ["an unknown keyword", "const: wet", "constant: wet", "constant is not a schema keyword"],
    ["no title", "title: Ferry, ", "", "title is missing"],
  ])("is refused with its line if it has %s", async (_what, from, to, fault) => {
    await expect(render(ferry.replace(from, to))).rejects.toThrow(fault);
  });
});
