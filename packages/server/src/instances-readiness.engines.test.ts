import { afterEach, beforeEach, expect, it } from "vitest";
import type { Service } from "./service.ts";
import { type Instances, openInstances } from "./testing/instances.ts";

let instances: Instances;
beforeEach(async () => {
  instances = await openInstances(2);
});
afterEach(() => instances.close());

it("an instance that hangs in its readiness check does not make another one unready", async () => {
  const [first, second] = instances.services as [Service, Service];
  await Promise.all([first.start(), second.start()]);
  expect((await first.app.inject("/readyz")).statusCode).toBe(200);
  const { promise: isHeld, resolve: tellHeld } = createSignal();
  const { promise: mayGoOn, resolve: letGoOn } = createSignal();
  const standing = first.store.write(async (tx) => {
    expect(await tx.all("SELECT check_id FROM write_checks FOR UPDATE")).toHaveLength(1);
    tellHeld();
    await mayGoOn;
  });
  await isHeld;
  expect((await second.app.inject("/readyz")).json()).toEqual({ status: "ready" });
  letGoOn();
  await standing;
});

function createSignal() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
