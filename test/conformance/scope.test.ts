// A merchant's credential does what its merchant may, and nothing to another one: every operation, once each way.

import { type OperationId, operations } from "@msgctl/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IssuedCredential } from "../../packages/server/src/tenancy.ts";
import { merchantId, openWorld, type World } from "./world.ts";

/** What another merchant's credential gets: a refusal, the words for what is not there, or a list without it. */
type Answer = "denied" | "not found" | "left out";

const answers: Record<OperationId, Answer> = {
  upsertMerchant: "denied",
  listMerchants: "left out",
  getMerchant: "denied",
  recordConsent: "denied",
  listConsents: "left out",
  sendSms: "denied",
  sendEmail: "denied",
  sendVoice: "denied",
  sendDirectSms: "denied",
  sendDirectEmail: "denied",
  createTtsCalls: "denied",
  listTtsCalls: "left out",
  getTtsCall: "not found",
  getTtsBatchSummary: "not found",
  listTtsBatchNumbers: "not found",
  requestUpgrade: "denied",
  getUsageReport: "denied",
  listAlerts: "left out",
  registerBrand: "denied",
  registerCampaign: "denied",
  registerNumber: "denied",
  assignNumber: "denied",
  getRegistrationStatus: "denied",
  simulateReply: "not found",
  getVoiceProvisioning: "denied",
  getDirectoryEntry: "denied",
  reportSipPresence: "denied",
};
/** Of the tenant as a whole: denied to every merchant's credential, this merchant's own too. */
const tenantOnly: readonly OperationId[] = [
  "upsertMerchant",
  "sendDirectSms",
  "sendDirectEmail",
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

const ids = Object.keys(operations) as OperationId[];

describe("another merchant's credential", () => {
  it.each(ids)("%s", async (operationId) => {
    const reply = await world.send(world.request(operationId), { as: other });
    switch (answers[operationId]) {
      case "denied":
        expect([reply.statusCode, reply.json().code], reply.body).toEqual([403, "merchant_scope_denied"]);
        break;
      case "not found":
        expect([reply.statusCode, reply.json().code], reply.body).toEqual([404, expect.stringMatching(/_not_found$/)]);
        break;
      case "left out":
        expect(reply.statusCode, reply.body).toBe(200);
        expect(reply.body).not.toContain(merchantId);
    }
  });

  it.each(ids.filter((operationId) => answers[operationId] === "left out" && operationId !== "listMerchants"))(
    "may not ask %s for the merchant by name",
    async (operationId) => {
      const { url } = world.request(operationId);
      const reply = await world.send({ method: "GET", url: `${url}?merchantId=${merchantId}` }, { as: other });
      expect([reply.statusCode, reply.json().code], reply.body).toEqual([403, "merchant_scope_denied"]);
    },
  );

  it("gets nothing of a call with the idempotency key of another merchant's", async () => {
    const headers = { "idempotency-key": "of-one-merchant" };
    const request = world.request("recordConsent");
    expect((await world.send(request, { as: own, headers })).statusCode).toBe(200);
    expect((await world.send(request, { as: other, headers })).json().code).toBe("merchant_scope_denied");
    const body = { ...(request.body as object), merchantId: "default" };
    const reused = await world.send({ ...request, body }, { as: other, headers });
    expect(reused.json().code).toBe("idempotency_key_reused");
    expect(reused.body).not.toContain(merchantId);
  });
});

describe("the merchant's own credential", () => {
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
