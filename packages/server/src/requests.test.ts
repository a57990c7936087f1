// Sends generated requests to every operation. No request crashes the server, every reply matches the contract, and no
// request that violates the contract is accepted.

import { type OperationId, operations } from "@msgctl/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "./testing/in-memory-service.ts";
import { invalidRequest, validRequest } from "./testing/request-arbitraries.ts";

const RUNS = 40;
const json = { "content-type": "application/json" };
let service: InMemoryService;
const known: Record<string, unknown[]> = {
  merchantId: ["m1", "default"],
  contact: ["+12025550100", "ada@example.com"],
  toNumber: ["+12025550100"],
  numberId: [1],
  requestId: [1],
  batchId: [1],
  campaignId: [1],
  tenantId: ["1"],
};

async function openPrepared(): Promise<InMemoryService> {
  const service = await openInMemoryService({ consentPolicy: "opt_out_only" });
  await service.start();
  const limits = { smsLimit: 1_000_000, emailLimit: 1_000, voiceMinutesLimit: 1_000 };
  for (const merchantId of ["m1", "default"]) {
    await service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: "One", ...limits } });
  }
  const sms = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };
  const sent = await service.call("POST", "/api/v1/messages/sms", { body: sms });
  known.messageId = [sent.json().messageId];
  return service;
}

const ids = Object.keys(operations) as OperationId[];
const reads = ids.filter((id) => operations[id].method === "GET");
const writes = ids.filter((id) => operations[id].method !== "GET");

/** Opens a service for the tests of a suite. */
function openForSuite(): void {
  beforeAll(async () => {
    service = await openPrepared();
  });
  afterAll(async () => {
    // let the server finish everything that it has accepted
    await service.clock.advanceBy(2 * 3_600_000);
    await service.close();
  });
}

describe("an operation that reads", () => {
  openForSuite();
  describe.each(reads)("%s", holdsToSchemas);
});

// Each suite has its own service, because a write affects later ones: a merchant may have become inactive, for example.
describe.each(writes)("%s", (operationId) => {
  openForSuite();
  holdsToSchemas(operationId);
});

function holdsToSchemas(operationId: OperationId): void {
  it("answers each request that its schemas allow as the contract says, and never with a 5xx", async () => {
    await fc.assert(
      fc.asyncProperty(validRequest(operationId, known), async ({ method, url, body }) => {
        const reply = await service.call(method, url, { body, headers: json });
        expect(reply.statusCode, reply.body).toBeLessThan(500);
      }),
      { numRuns: RUNS },
    );
  });

  const invalid = invalidRequest(operationId, known);
  it.runIf(invalid !== undefined)("refuses requests that its schemas do not allow", async () => {
    if (invalid === undefined) return;
    await fc.assert(
      fc.asyncProperty(invalid, async ({ method, url, body }) => {
        const reply = await service.call(method, url, { body, headers: json });
        expect(reply.statusCode, reply.body).toBe(400);
      }),
      { numRuns: RUNS },
    );
  });
}
