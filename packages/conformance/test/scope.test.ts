// Checks every operation with a merchant's credential: whether it is allowed, and for which merchant.

import { type OperationId, operations } from "@msgctl/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IssuedCredential } from "../../server/src/domain/tenancy/tenants.ts";
import { merchantId, openWorld, type World } from "./world.ts";

/** Operations that are denied to every merchant's credential. */
const tenantOnly: readonly OperationId[] = [
  "upsertMerchant",
  "sendDirectSms",
  "sendDirectEmail",
  "requestUpgrade",
  "getUsageReport",
  "getVoiceProvisioning",
  "getDirectoryEntry",
  "reportSipPresence",
];

let world: World;
let own: IssuedCredential;
let other: IssuedCredential;
beforeAll(async () => {
  world = await openWorld();
  own = await world.service.issue({ merchantId });
  other = await world.service.issue({ merchantId: "default" });
});
afterAll(() => world.close());

it("another merchant's credential learns nothing by reusing this merchant's idempotency key", async () => {
  const headers = { "idempotency-key": "of-one-merchant" };
  const request = world.request("recordConsent");
  expect((await world.send(request, { as: own, headers })).statusCode).toBe(200);
  expect((await world.send(request, { as: other, headers })).json().code).toBe("merchant_scope_denied");
  const body = { ...(request.body as object), merchantId: "default" };
  const theirs = await world.send({ ...request, body }, { as: other, headers });
  expect([theirs.statusCode, theirs.headers["idempotent-replayed"]]).toEqual([200, undefined]);
  expect(theirs.body).not.toContain(merchantId);
});

describe("the merchant's own credential", () => {
  const ids = Object.keys(operations) as OperationId[];

  it.each(tenantOnly)("may not do %s", async (operationId) => {
    const reply = await world.send(world.request(operationId), { as: own });
    expect([reply.statusCode, reply.json().code], reply.body).toEqual([403, "merchant_scope_denied"]);
  });

  it.each(ids.filter((operationId) => !tenantOnly.includes(operationId)))("may do %s", async (operationId) => {
    const reply = await world.send(world.request(operationId), { as: own });
    expect(reply.body).not.toContain("merchant_scope_denied");
    expect(reply.statusCode, reply.body).toBeLessThan(300);
  });
});
