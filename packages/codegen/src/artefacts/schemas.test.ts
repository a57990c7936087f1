import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PARCELS, parcels, parcelsWith } from "../testing/parcels.ts";
import { artefact } from "./schemas.ts";

type Generated = {
  schemas: Record<string, object>;
  parameterSchemas: Record<string, { path?: object; query?: object }>;
};

let folder: string;
let generated: Generated;

/** Loads the artefact's output. The document says validation_error for parcel_not_found, so that parameters are checked. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "schemas-"));
  const path = join(folder, "schemas.ts");
  const document = PARCELS.replaceAll("parcel_not_found", "validation_error");
  writeFileSync(path, await artefact.render(parcels(document)));
  generated = await import(pathToFileURL(path).href);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("in Fastify, with nothing stripped", () => {
  let app: FastifyInstance;
  let reply: unknown;

  beforeAll(async () => {
    const { schemas, parameterSchemas } = generated;
    app = Fastify({ ajv: { customOptions: { strict: true, removeAdditional: false, coerceTypes: false } } });
    for (const schema of Object.values(schemas)) app.addSchema(schema);
    app.post("/parcels", {
      schema: { body: { $ref: "ParcelRequest#" }, response: { 200: { $ref: "ParcelView#" } } },
      handler: async () => reply,
    });
    app.get("/parcels", { schema: { querystring: parameterSchemas.listParcels?.query }, handler: async () => "ok" });
    await app.ready();
  });

  const send = (payload: object) => app.inject({ method: "POST", url: "/parcels", payload });
  const view = { parcelId: 7, kind: "BOX", status: "QUEUED", lastStatus: null, size: null, note: null, tags: [] };

  it.each([
    ["a valid body", { kind: "BOX", weightGrams: 1 }, 200],
    ["an unknown field", { kind: "BOX", weightGrams: 1, colour: "red" }, 400],
    ["an unknown value of a closed enum", { kind: "SACK", weightGrams: 1 }, 400],
    ["a missing field", { kind: "BOX" }, 400],
    ["a number as a string", { kind: "BOX", weightGrams: "1" }, 400],
  ])("answers %s correctly", async (_, body, status) => {
    reply = view;
    expect((await send(body)).statusCode).toBe(status);
  });

  it("refuses an unknown query value", async () => {
    expect((await app.inject("/parcels")).statusCode).toBe(200);
    expect((await app.inject("/parcels?colour=red")).statusCode).toBe(400);
  });

  it.each([
    ["null where a value may be absent", view],
    ["a value an open enum does not name", { ...view, status: "SEIZED", lastStatus: "NEW" }],
    ["a nullable reference that is present", { ...view, size: { litres: 2.5 }, note: 3, tags: ["LIGHT"] }],
  ])("replies %s", async (_, given) => {
    reply = given;
    expect((await send({ kind: "BOX", weightGrams: 1 })).json()).toEqual(given);
  });

  it("replies only members of the view", async () => {
    reply = { ...view, secret: "x" };
    expect((await send({ kind: "BOX", weightGrams: 1 })).json()).toEqual(view);
  });
});

it("checks parameters only for an operation that can answer validation_error", () => {
  const { sendParcel, getLabel } = generated.parameterSchemas;
  expect(sendParcel?.path).toMatchObject({ required: ["depotId"], additionalProperties: false });
  expect(sendParcel?.query).toMatchObject({ properties: {}, additionalProperties: false });
  expect(getLabel).toEqual({});
});

it.each([
  [9, 'items: { type: "string", maxLength: 9 }'],
  [6, 'items: { anyOf: [{ $ref: "ParcelStatus#" }, { type: "string", maxLength: 6 }] }'],
])(
  "keeps the bound %i of a string that is an alternative to an enum, and keeps the enum only if it has longer values",
  async (maxLength, items) => {
    const bounded = parcelsWith(
      'items: { anyOf: [{ $ref: "#/components/schemas/ParcelStatus" }, { type: string }',
      `items: { anyOf: [{ $ref: "#/components/schemas/ParcelStatus" }, { type: string, maxLength: ${maxLength} }`,
    );
    expect(await artefact.render(parcels(bounded))).toContain(items);
  },
);

it("keeps no descriptions and no extension keys", () => {
  expect(JSON.stringify(generated)).not.toMatch(/description|x-secret|examples/);
});
