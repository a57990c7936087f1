// A repeat with the same Idempotency-Key does nothing: every writing operation.

import { type OperationId, operations } from "@msgctl/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const writing = (Object.keys(operations) as OperationId[]).filter((operationId) => operations[operationId].idempotent);

it.each(writing)("%s", async (operationId) => {
  const headers = { "idempotency-key": `once-${operationId}` };
  const request = world.request(operationId);
  const send = () => world.send(request, { headers });
  const first = await send();
  expect([first.statusCode, first.headers["idempotent-replayed"]], first.body).toEqual([
    operations[operationId].successStatus,
    undefined,
  ]);
  // until nothing is under way any more
  await world.service.clock.advanceBy(60_000);
  const before = await countRows();
  const repeat = await send();
  expect([repeat.statusCode, repeat.headers["idempotent-replayed"]]).toEqual([first.statusCode, "true"]);
  expect(idsOf(repeat.body)).toEqual(idsOf(first.body));
  expect(await countRows()).toEqual(before);
});

function idsOf(body: string): unknown[] {
  if (body === "") return [];
  return Object.entries(JSON.parse(body)).filter(([name]) => /id$/i.test(name));
}

async function countRows(): Promise<unknown[]> {
  const { store } = world.service;
  const tables = await store.read((tx) =>
    tx.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"),
  );
  return Promise.all(
    tables.map(({ name }) => store.read((tx) => tx.get(`SELECT '${name}' AS name, COUNT(*) AS rows FROM "${name}"`))),
  );
}
