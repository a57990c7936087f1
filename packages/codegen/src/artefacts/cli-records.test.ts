import { describe, expect, it } from "vitest";
import { GenerationError } from "../faults.ts";
import { PARCELS, parcels, parcelsWith } from "../testing/parcels.ts";
import { artefact as hints } from "./cli-hints.ts";
import { artefact as index } from "./cli-index.ts";
import { inputsOf } from "./cli-inputs.ts";
import { outputOf } from "./cli-output.ts";
import { artefact as records } from "./cli-records.ts";

const contract = parcels();

function operation(operationId: string, from = contract) {
  const found = from.operations.find((candidate) => candidate.operationId === operationId);
  if (found === undefined) throw new Error(`No operation ${operationId}.`);
  return found;
}

function inputs(operationId: string, from = contract) {
  return inputsOf(from, operation(operationId, from));
}

/** Evaluates generated data, without its types, so that tests compare values and not layout. */
function evaluate(text: string): unknown {
  const start = text.indexOf("{", text.indexOf("= ") + 1);
  return new Function(`return ${text.slice(start).trim().replace(/;$/, "")}`)();
}

describe("inputsOf", () => {
  it("puts positional arguments first, in the order of args, then flags in the document's order", () => {
    expect(inputs("sendParcel").map(({ name, in: place, positional }) => [name, place, positional ?? false])).toEqual([
      ["depot-id", "path", true],
      ["weight-grams", "body", true],
      ["kind", "body", false],
      ["pin", "body", false],
      ["fragile", "body", false],
    ]);
  });

  it("includes a value's constraints", () => {
    const [depot, weight, kind, pin, fragile] = inputs("sendParcel");
    expect(depot).toMatchObject({ type: "string", pattern: "^[a-z]+$", required: true, path: ["depotId"] });
    expect(weight).toMatchObject({ type: "integer", format: "int64", minimum: 1, required: true });
    expect(kind).toMatchObject({ enum: ["BOX", "LETTER"], description: "Form of a parcel.", required: true });
    expect(pin).toMatchObject({ secret: true });
    expect(pin).not.toHaveProperty("required");
    expect(fragile).toMatchObject({ type: "boolean", default: false });
    expect(inputs("listParcels").at(-1)).toMatchObject({ name: "limit", in: "query", minimum: 1, default: 50 });
  });

  it("makes no flag for the Idempotency-Key or for a body field that repeats it", () => {
    const text = parcelsWith("pin: {", "idempotencyKey: { type: string, description: The key. }\n        pin: {");
    expect(inputs("sendParcel", parcels(text)).map(({ name }) => name)).not.toContain("idempotency-key");
  });

  it("descends into objects and repeats lists", () => {
    const text = parcelsWith(
      "pin: {",
      [
        "size: { $ref: '#/components/schemas/Size' }",
        "        labels: { type: array, description: Words., minItems: 1, items: { type: string, maxLength: 9 } }",
        "        ref: { description: A reference., oneOf: [{ type: integer }, { type: string }] }",
        "        stops: { type: array, description: Where., items: { type: object, properties: {} } }",
        "        pin: {",
      ].join("\n"),
    );
    const found = inputs("sendParcel", parcels(text));
    const byName = Object.fromEntries(found.map((input) => [input.name, input]));
    expect(byName["size-litres"]).toMatchObject({ path: ["size", "litres"], type: "number" });
    // A field that is required inside an optional object is not required by the command.
    expect(byName["size-litres"]).not.toHaveProperty("required");
    expect(byName.labels).toMatchObject({ repeatable: true, type: "string", maxLength: 9, minItems: 1 });
    expect(byName.ref).toMatchObject({ type: "integer-or-string" });
    expect(byName.stops).toMatchObject({ repeatable: true, type: "json" });
  });

  it.each([
    ["a flag of every command", "profile", "--profile is a flag of every command"],
    ["a name given twice", "depotId", "both give --depot-id"],
  ])("refuses %s, with the line", (_, field, message) => {
    const changed = parcels(parcelsWith("pin: {", `${field}: { type: string, description: Clash. }\n        pin: {`));
    expect(() => inputs("sendParcel", changed)).toThrow(GenerationError);
    expect(() => inputs("sendParcel", changed)).toThrow(message);
    expect(() => inputs("sendParcel", changed)).toThrow("openapi.yaml:13:1");
  });

  it("refuses a secret as a positional argument", () => {
    const changed = parcels(parcelsWith("args: [depotId, weightGrams]", "args: [depotId, pin]"));
    expect(() => inputs("sendParcel", changed)).toThrow("<pin> is a secret");
  });
});

describe("outputOf", () => {
  it("names the kind of each answer", () => {
    const kinds = contract.operations.map((each) => outputOf(contract, each).kind);
    expect(kinds).toEqual(["object", "list", "object", "text", "none"]);
  });

  it("lists the fields a table may show, through references and nullable objects", () => {
    expect(outputOf(contract, operation("getParcel")).fields).toEqual([
      ...["parcelId", "kind", "status", "lastStatus", "size.litres", "note", "tags"],
    ]);
  });

  it("finds secrets inside objects and the elements of lists", () => {
    const nested = parcels(
      parcelsWith(
        "litres: { type: number, format: double, description: Volume. }",
        "litres: { type: number, format: double, description: Volume., x-secret: true }",
      ).replace(
        "tags:\n          type: array",
        "sizes: { type: array, description: All sizes., items: { $ref: '#/components/schemas/Size' } }\n        tags:\n          type: array",
      ),
    );
    expect(outputOf(nested, operation("getParcel", nested)).secrets).toEqual(["size.litres", "sizes.litres"]);
  });
});

describe("an artefact", () => {
  it("writes one record per operation", async () => {
    const data = evaluate(await records.render(contract)) as Record<string, unknown>;
    expect(Object.keys(data)).toEqual(["sendParcel", "listParcels", "getParcel", "getLabel", "ping"]);
    expect(data.sendParcel).toMatchObject({
      group: "parcels",
      name: "send",
      aliases: ["post"],
      method: "POST",
      path: "/depots/{depotId}/parcels",
      idempotent: true,
      cost: "billable",
      wait: { operation: "getParcel", from: "parcelId", field: "status", until: ["ARRIVED", "LOST"], failed: ["LOST"] },
      examples: [{ title: "small", argv: ["parcels", "send", "depot-id", "100", "--kind", "BOX"] }],
    });
    expect(data.ping).toMatchObject({ idempotent: false, inputs: [], examples: [{ argv: ["pings", "send"] }] });
  });

  it("writes the ids that a list shows, and the inputs that take them", async () => {
    const text = parcelsWith("operation: listParcels, field: parcelId", "operation: listParcels, field: kind");
    const data = evaluate(await records.render(parcels(text))) as Record<string, { inputs: { complete?: string }[] }>;
    expect(data.listParcels).toMatchObject({ listed: ["kind"] });
    expect(data.sendParcel?.inputs.map(({ complete }) => complete)).toEqual([
      ...[undefined, undefined, "kind", undefined, undefined],
    ]);
    expect(data.getParcel).not.toHaveProperty("listed");
  });

  /** A document in which the read of a label's text is replaced by a read of one object without input. */
  function filledBy(label: string, text: string): string {
    return text
      .replace("cost: billable", "cost: billable\n        fill: [{ operation: getLabel, field: kind }]")
      .replace("name: print, identity: [label] }", "name: print, columns: [kind], identity: [kind] }")
      .replace(
        "application/xml:\n              schema: { type: string, xml: { name: label } }",
        `application/json:\n              schema: ${label}`,
      );
  }

  it("writes values that msgctl fills in, and omits them from examples", async () => {
    const text = filledBy('{ $ref: "#/components/schemas/ParcelView" }', PARCELS);
    const data = evaluate(await records.render(parcels(text))) as Record<string, { inputs: object[] }>;
    expect(data.sendParcel?.inputs.filter((input) => "fill" in input)).toEqual([
      expect.objectContaining({ name: "kind", required: true, fill: { operation: "getLabel", field: "kind" } }),
    ]);
    expect(data.sendParcel).toMatchObject({ examples: [{ argv: ["parcels", "send", "depot-id", "100"] }] });
  });

  it("refuses to fill in a secret", () => {
    const text = filledBy('{ $ref: "#/components/schemas/Label" }', PARCELS).replace(
      "    Size:\n",
      "    Label:\n      type: object\n      description: A label.\n      required: [kind]\n      properties:\n        kind: { type: string, description: Form., x-secret: true }\n    Size:\n",
    );
    expect(() => parcels(text)).toThrow(
      "kind is a secret and must not be filled in, because filled-in values are shown.",
    );
  });

  it("writes a format that depends on another field", async () => {
    const text = parcelsWith("x-secret: true", "x-format-by: { field: kind, formats: { BOX: e164 } }");
    const data = evaluate(await records.render(parcels(text))) as Record<string, { inputs: { name: string }[] }>;
    const pin = data.sendParcel?.inputs.find(({ name }) => name === "pin");
    expect(pin).toMatchObject({ formatBy: { input: "kind", formats: { BOX: "e164" } } });
  });

  it("writes the alternative sets of fields", async () => {
    const text = parcelsWith(
      "required: [kind, weightGrams]",
      "required: [kind, weightGrams]\n      anyOf: [{ required: [pin], properties: { pin: {} } }, { required: [fragile], properties: { fragile: {} } }]",
    );
    const data = evaluate(await records.render(parcels(text))) as Record<string, unknown>;
    expect(data.sendParcel).toMatchObject({ anyOf: [["pin"], ["fragile"]] });
    expect(data.ping).not.toHaveProperty("anyOf");
  });

  it("writes groups with the first sentence of their tag", async () => {
    const text = parcelsWith("description: What is sent.", "description: What is sent. And more about it.");
    expect(evaluate(await index.render(parcels(text)))).toMatchObject({
      contractVersion: "2.0.0",
      groups: [
        {
          name: "parcels",
          description: "What is sent.",
          commands: [{ name: "send", aliases: ["post"], operationId: "sendParcel" }, {}, {}],
        },
        { name: "labels" },
        { name: "pings" },
      ],
      examples: [{ argv: ["parcels", "send", "depot-id", "100", "--kind", "BOX"] }, {}, {}],
    });
  });

  it("refuses a group that is a command of the tool itself", () => {
    const changed = parcels(parcelsWith("group: labels", "group: help"));
    expect(() => index.render(changed)).toThrow("getLabel: help is a command of msgctl itself");
  });

  it("writes each hint once", async () => {
    expect(evaluate(await hints.render(contract))).toEqual({
      too_heavy: "Send two parcels.",
      parcel_not_found: "See the numbers with msgctl parcels list.",
    });
  });
});
