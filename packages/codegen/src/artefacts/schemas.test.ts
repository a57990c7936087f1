import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parcels } from "../invented/parcels.ts";
import { artefact } from "./schemas.ts";

type Generated = { schemas: Record<string, object>; parameterSchemas: Record<string, { path: object; query: object }> };

const folder = mkdtempSync(join(tmpdir(), "schemas-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the artefact writes, loaded as a program would. */
async function generated(): Promise<Generated> {
  const path = join(folder, "schemas.ts");
  writeFileSync(path, await artefact.render(parcels()));
  return import(pathToFileURL(path).href);
}

describe("in Fastify, with nothing stripped or coerced in bodies", () => {
  let app: FastifyInstance;
  let reply: unknown;

  beforeAll(async () => {
    const { schemas, parameterSchemas } = await generated();
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
  ])("answers %s rightly", async (_, body, status) => {
    reply = view;
    expect((await send(body)).statusCode).toBe(status);
  });

  it("refuses an unknown query value", async () => {
    expect((await app.inject("/parcels?colour=red")).statusCode).toBe(400);
  });

  it.each([
    ["null where a value may be absent", view, view],
    ["a value an open enum does not name", { ...view, status: "SEIZED", lastStatus: "NEW" }, undefined],
    ["a nullable reference that is there", { ...view, size: { litres: 2.5 }, note: 3, tags: ["LIGHT"] }, undefined],
    ["only what the view has", { ...view, secret: "x" }, view],
  ])("replies %s", async (_, given, expected) => {
    reply = given;
    expect((await send({ kind: "BOX", weightGrams: 1 })).json()).toEqual(expected ?? given);
  });
});

it("keeps no words and no extension keys", async () => {
  expect(JSON.stringify(await generated())).not.toMatch(/description|x-secret|examples/);
});
