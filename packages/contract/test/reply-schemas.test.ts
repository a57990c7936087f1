// Serializes the contract's example replies as msgd does: no field may be lost, renamed or rounded.
import { readFileSync } from "node:fs";
import { operations } from "@msgctl/contract";
import { schemas } from "@msgctl/contract/schemas";
import Fastify from "fastify";
import { expect, it } from "vitest";
import { readContract } from "../../codegen/src/document/contract.ts";

const contract = readContract(readFileSync("openapi.yaml", "utf8"), "openapi.yaml");
const app = Fastify();
for (const schema of Object.values(schemas)) app.addSchema(schema);

const views = contract.operations.flatMap(({ operationId, success: { schemaName, isArray, examples } }) =>
  schemaName === undefined
    ? []
    : examples.map(({ name, value }) => ({ operationId, schemaName, isArray, name, value })),
);
for (const { operationId, schemaName, isArray, name, value } of views) {
  const view = { $ref: `${schemaName}#` };
  app.get(`/${operationId}/${name}`, {
    schema: { response: { 200: isArray ? { type: "array", items: view } : view } },
    handler: async () => value,
  });
}

it("the contract has an example of every operation's JSON reply", () => {
  const shown = new Set(views.map(({ operationId }) => operationId));
  const withView = Object.values(operations).filter(({ responseSchema }) => responseSchema !== null);
  expect(withView.filter(({ operationId }) => !shown.has(operationId))).toEqual([]);
});

it("every example is serialized unchanged", async () => {
  for (const { operationId, name, value } of views) {
    const reply = await app.inject(`/${operationId}/${name}`);
    expect.soft(reply.json(), `${operationId}: ${name}`).toEqual(value);
  }
});
