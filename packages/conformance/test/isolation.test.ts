// Checks that another tenant's requests leave a tenant completely unchanged. The clock stands still here, so only those
// requests could change the data.

import { afterAll, beforeAll, expect, it } from "vitest";
import { tenants } from "../src/promises/tenants.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it.each(tenants.filter(({ operationId }) => operationId !== "upsertMerchant"))(
  "$operationId: $words",
  async (promise) => {
    const before = await snapshot();
    await promise.check(world);
    expect(await snapshot()).toEqual(before);
  },
);

/** Data that a stranger's writes could have changed. */
async function snapshot(): Promise<unknown> {
  // wait until all work that creating the world has started is done
  await world.service.clock.settle();
  const replies = await Promise.all(
    (["listMerchants", "listConsents", "getRegistrationStatus", "getVoiceProvisioning"] as const).map((operationId) =>
      world.send(world.request(operationId)),
    ),
  );
  return replies.map((reply) => reply.json());
}
