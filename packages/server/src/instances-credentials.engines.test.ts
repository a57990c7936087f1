// Uses a credential at one instance after another instance has revoked or rotated it.

import { afterEach, beforeEach, expect, it } from "vitest";
import { listCredentials, revokeCredential } from "./domain/tenancy/rows.ts";
import { type IssuedCredential, rotateCredential } from "./domain/tenancy/tenants.ts";
import { pepper } from "./testing/in-memory-service.ts";
import { type Instances, openInstances } from "./testing/instances.ts";

const secondMs = 1_000;
let instances: Instances;
beforeEach(async () => {
  instances = await openInstances(2);
});
afterEach(() => instances.close());

const store = () => (instances.services[0] as Instances["services"][0]).store;
async function ask(instance: number, as: Pick<IssuedCredential, "apiKey" | "apiSecret">): Promise<string> {
  const reply = await instances.call(instance, "GET", "/api/v1/merchants", { as });
  return reply.statusCode === 200 ? "known" : reply.json().code;
}

it("a revoked credential is refused everywhere within a second", async () => {
  const { credential, clock } = instances;
  expect([await ask(0, credential), await ask(1, credential)]).toEqual(["known", "known"]);
  await store().write((tx) => revokeCredential(tx, credential.apiKey, clock.now()));
  await clock.advanceBy(secondMs);
  expect([await ask(0, credential), await ask(1, credential)]).toEqual(["credentials_revoked", "credentials_revoked"]);
});

it("a rotated credential is accepted with its new secret at once, and with the old one until the overlap ends", async () => {
  const { credential, clock } = instances;
  expect(await ask(1, credential)).toBe("known");
  const request = { apiKey: credential.apiKey, overlapMs: 10 * secondMs, pepper, now: clock.now() };
  const rotated = await store().write((tx) => rotateCredential(tx, request));
  expect([await ask(1, rotated), await ask(1, credential)]).toEqual(["known", "known"]);
  // an instance may cache the old secret for another second
  await clock.advanceBy(11 * secondMs);
  expect([await ask(1, credential), await ask(1, rotated)]).toEqual(["credentials_invalid", "known"]);
});

it("the old secret is refused everywhere within a second after a rotation without overlap", async () => {
  const { credential, clock } = instances;
  expect(await ask(1, credential)).toBe("known");
  const request = { apiKey: credential.apiKey, overlapMs: 0, pepper, now: clock.now() };
  const rotated = await store().write((tx) => rotateCredential(tx, request));
  await clock.advanceBy(secondMs);
  expect([await ask(1, credential), await ask(1, rotated)]).toEqual(["credentials_invalid", "known"]);
});

it("a credential has two secrets, not three, after two concurrent rotations", async () => {
  const { credential, clock } = instances;
  const request = { apiKey: credential.apiKey, overlapMs: 60 * secondMs, pepper, now: clock.now() };
  const rotated = await Promise.all(
    instances.services.map((service) => service.store.write((tx) => rotateCredential(tx, request))),
  );
  const known = await Promise.all([credential, ...rotated].map((one) => ask(1, one)));
  expect(known).toEqual(["credentials_invalid", "known", "known"]);
});

it("a credential shows its latest use at any instance", async () => {
  const { credential, clock } = instances;
  const lastUse = async () => {
    const [listed] = await store().read((tx) => listCredentials(tx, credential.tenantId, clock.now()));
    return listed?.lastUsedAt;
  };
  await ask(0, credential);
  const first = clock.now();
  await expect.poll(lastUse).toBe(first);
  await clock.advanceBy(90 * secondMs);
  await ask(1, credential);
  await expect.poll(lastUse).toBe(first + 90 * secondMs);
});
