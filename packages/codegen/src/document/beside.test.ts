import { describe, expect, it } from "vitest";
import { dashboardArtefacts } from "../artefacts/dashboard.ts";
import { PARCELS } from "../testing/parcels.ts";
import { readBeside } from "./contract.ts";

const depots = `
openapi: 3.1.0
info: { title: Depots, version: 1.0.0 }
tags: [{ name: Depots, description: Where parcels are. }]
paths:
  /inner/depots/{depotId}:
    parameters: [{ $ref: "../openapi.yaml#/components/parameters/DepotId" }]
    get:
      operationId: getDepot
      tags: [Depots]
      summary: Show a depot
      description: With its last parcel.
      responses:
        "200":
          description: The depot.
          content: { application/json: { schema: { $ref: "#/components/schemas/DepotView" } } }
components:
  schemas:
    DepotView:
      type: object
      required: [last]
      properties:
        last: { $ref: "../openapi.yaml#/components/schemas/ParcelView" }
`;

const read = (text = depots) => readBeside(text, "depots.yaml", { text: PARCELS, name: "../openapi.yaml" });

describe("a document that extends the contract", () => {
  it("refers to the contract's components, and has no commands", () => {
    const { operations, ownSchemas, schemas } = read();
    expect(operations).toMatchObject([{ operationId: "getDepot", parameters: [{ name: "depotId", in: "path" }] }]);
    expect(operations[0]).not.toHaveProperty("command");
    expect(ownSchemas).toEqual(["DepotView"]);
    expect(schemas).toHaveProperty("ParcelView");
  });

  it("can be merged with the contract into one document without outside references", () => {
    const { document } = read();
    expect(JSON.stringify(document)).not.toContain("../openapi.yaml");
    expect(document).toMatchObject({
      components: { schemas: { DepotView: {}, ParcelView: {} }, parameters: { DepotId: { name: "depotId" } } },
    });
  });

  it("is generated with the contract's own types, and only its own schemas", async () => {
    const rendered = await Promise.all(dashboardArtefacts.map((artefact) => artefact.render(read())));
    const [types = "", table = "", schemas = ""] = rendered;
    expect(types).toContain('ParcelView: Schemas["ParcelView"]');
    expect(types).toContain('last: components["schemas"]["ParcelView"]');
    expect(table).toContain('operationId: "getDepot"');
    expect(table).not.toContain("group");
    expect(schemas).toContain('last: { $ref: "ParcelView#" }');
    expect(schemas).not.toContain('$id: "ParcelView"');
  });

  it.each([
    ["leads nowhere", depots.replace("schemas/ParcelView", "schemas/Parcel")],
    ["leads nowhere", depots.replace("../openapi.yaml#/components/schemas", "other.yaml#/components/schemas")],
    ["ParcelView is already a schema of ../openapi.yaml", depots.replaceAll("DepotView", "ParcelView")],
    ["x-msgctl is not a key", depots.replace("summary:", "x-msgctl: {}\n      summary:")],
  ])("is refused if it %s", (message, text) => {
    expect(() => read(text)).toThrow(message);
  });
});
