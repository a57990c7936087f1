// Checks that every status and code that the contract documents for an operation occurs.

import { type OperationId, operations, type ProblemCode } from "@msgctl/contract";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { registrationLimits } from "../../server/src/domain/registration/rules.ts";
import { CommitInDoubt, StoreUnavailable } from "../../server/src/store/store.ts";
import { type InMemoryService, openInMemoryService } from "../../server/src/testing/in-memory-service.ts";
import type { CheckedReply } from "../src/contract-check/reply-check.ts";
import { newKey } from "../src/scenarios/requests.ts";
import { scenarios } from "../src/scenarios/scenarios.ts";
import { fieldsOf } from "../src/target/reply.ts";
import { openWorld, type World } from "./world.ts";

type Scenario = (operationId: OperationId) => Promise<CheckedReply>;

const unreachable: readonly ProblemCode[] = [
  // a single server on SQLite never answers this code, because it runs calls with one key one after the other
  "idempotency_in_progress",
  // answered before any operation is called; tested in packages/server/src/http/wire.test.ts and connection.test.ts
  "malformed_http",
  "headers_too_large",
  "request_timeout",
];

let world: World;
/** A server that accepts only one request of each credential. */
let limited: InMemoryService;

beforeAll(async () => {
  world = await openWorld();
  limited = await openInMemoryService({ rateLimit: { perSecond: 0.01, burst: 1 } });
});
afterAll(async () => {
  await world.close();
  await limited.close();
});

function sendFailing(operationId: OperationId, error: Error): Promise<CheckedReply> {
  vi.spyOn(world.service.store, "write").mockRejectedValue(error);
  vi.spyOn(world.service.store, "read").mockRejectedValue(error);
  vi.spyOn(world.service.app.log, "error").mockImplementation(() => undefined);
  return world.send(world.request(operationId), { headers: newKey(world) });
}

/** Registers another number for a merchant that has the maximum number of them. */
async function sendNumberTooMany(): Promise<CheckedReply> {
  const { store, credential } = world.service;
  const merchantId = "numerous";
  await world.send({ method: "POST", url: "/api/v1/merchants", body: { merchantId, displayName: merchantId } });
  await store.write(async (tx) => {
    for (let index = 0; index < registrationLimits.numbers; index += 1) {
      await tx.run(
        `INSERT INTO numbers (tenant_id, merchant_id, phone_number, provider, capabilities, status, assignment_status,
           created_at, updated_at) VALUES ($1, $2, $3, 'simulated', '["SMS"]', 'ACTIVE', 'UNASSIGNED', 0, 0)`,
        credential.tenantId,
        merchantId,
        `+1646555${1_000 + index}`,
      );
    }
  });
  const url = `/api/v1/merchants/${merchantId}/messaging/numbers`;
  return world.send({ method: "POST", url, body: { phoneNumber: "+16465550100" } });
}

/** Scenarios that need access to the server's internals. */
const insideScenarios: Partial<Record<ProblemCode, Scenario>> = {
  rate_limited: async (operationId) => {
    const { method, url, body } = world.request(operationId);
    const as = await limited.issue({});
    await limited.call(method, url, { body, as });
    return limited.call(method, url, { body, as });
  },
  internal_error: (operationId) => sendFailing(operationId, new Error("an unexpected fault")),
  registration_limit: (operationId) =>
    operationId === "registerNumber" ? sendNumberTooMany() : bringAbout(operationId, "registration_limit"),
  outcome_unknown: (operationId) => sendFailing(operationId, new CommitInDoubt("the disk did not take a commit")),
  unavailable: (operationId) => sendFailing(operationId, new StoreUnavailable("the disk is full")),
};

/** Provokes the code with its scenario from `scenarios`, which needs no access to the server's internals. */
async function bringAbout(operationId: OperationId, code: ProblemCode): Promise<CheckedReply> {
  const scenario = scenarios[code];
  if (scenario === undefined) throw new Error(`no scenario provokes ${code}`);
  return scenario(world, operationId);
}

const reachable = (operationId: OperationId) =>
  Object.entries(operations[operationId].errors).flatMap(([status, codes]) =>
    (codes as readonly ProblemCode[])
      .filter((code) => !unreachable.includes(code))
      .map((code) => ({ status: Number(status), code })),
  );

/** On PostgreSQL only operations that write. same-replies.engines.test.ts compares all operations between the engines. */
const ids = (Object.keys(operations) as OperationId[]).filter(
  (operationId) => inject("postgres") === undefined || operations[operationId].method !== "GET",
);

describe("every documented reply occurs", () => {
  it("for a success of every operation", async () => {
    for (const operationId of ids) {
      const reply = await world.send(world.request(operationId));
      const { successStatus } = operations[operationId];
      expect.soft([operationId, reply.statusCode], reply.body).toEqual([operationId, successStatus]);
    }
  });

  it.each(ids)("for each status and code with which %s is refused", async (operationId) => {
    const documented = reachable(operationId);
    expect(documented).not.toEqual([]);
    for (const { status, code } of documented) {
      try {
        const reply = await (insideScenarios[code] ?? ((id) => bringAbout(id, code)))(operationId);
        expect.soft([reply.statusCode, fieldsOf(reply).code], reply.body).toEqual([status, code]);
      } catch (error) {
        expect.soft(error, `${status} ${code}`).toBeUndefined();
      }
      vi.restoreAllMocks();
    }
  });
});
