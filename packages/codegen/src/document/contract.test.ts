import { describe, expect, it } from "vitest";
import { parcels } from "../testing/parcels.ts";

describe("readContract", () => {
  it("reads operations in document order, and resolves their references", () => {
    const { operations, title, version, tags } = parcels();
    expect([title, version, tags]).toEqual(["Parcels", "2.0.0", [{ name: "Parcels", description: "What is sent." }]]);
    expect(operations.map(({ operationId }) => operationId)).toEqual([
      ...["sendParcel", "listParcels", "getParcel", "getLabel", "ping"],
    ]);
    const [send, list, get, label, ping] = operations;
    expect(send).toMatchObject({
      method: "POST",
      path: "/depots/{depotId}/parcels",
      command: {
        group: "parcels",
        name: "send",
        aliases: ["post"],
        args: ["depotId", "weightGrams"],
        cost: "billable",
        wait: {
          operation: "getParcel",
          from: "parcelId",
          field: "status",
          until: ["ARRIVED", "LOST"],
          failed: ["LOST"],
        },
        complete: [{ operation: "listParcels", field: "parcelId" }],
      },
      parameters: [
        { name: "depotId", in: "path", required: true, description: "Name of the depot." },
        { name: "Idempotency-Key", in: "header", required: false },
      ],
      body: { schemaName: "ParcelRequest", required: true, examples: [{ name: "small", value: { weightGrams: 100 } }] },
      success: { status: 200, schemaName: "ParcelView", isArray: false },
      line: 13,
    });
    expect(send?.success.examples).toMatchObject([{ name: "queued", summary: "Just taken", value: { parcelId: 7 } }]);
    expect(list?.success).toMatchObject({ schemaName: "ParcelView", isArray: true });
    expect(get?.parameters[0]?.schema).toEqual({ type: "integer", format: "int64", examples: [7] });
    expect(label?.success).toEqual({
      ...{
        status: 200,
        description: "The label.",
        mediaType: "application/xml",
        isArray: false,
        schema: { type: "string", xml: { name: "label" } },
        examples: [],
        headers: {},
      },
    });
    expect(ping?.success).toEqual({ status: 204, description: "Heard.", isArray: false, examples: [], headers: {} });
  });

  it("orders error statuses and names the codes of each", () => {
    expect(parcels().operations[0]?.errors).toEqual([
      { status: 404, codes: ["parcel_not_found"], headers: {} },
      { status: 422, codes: ["too_heavy"], headers: {} },
    ]);
  });

  it("builds the problem table from the enum, examples, causes and hints", () => {
    expect(parcels().problems[0]).toEqual({
      code: "too_heavy",
      status: 422,
      title: "Too heavy",
      cause: "A parcel weighs more than 30 kg.",
      hint: "Send two parcels.",
      example: { type: "/docs/errors/too_heavy", title: "Too heavy", status: 422, code: "too_heavy" },
    });
  });
});
