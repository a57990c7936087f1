// Every status and code that the contract documents for an operation is one that the operation really gives.

import { type OperationId, operations } from "@msgctl/contract";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { cases, closeScenarios, openScenarios, play } from "./scenarios.ts";
import type { World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openScenarios();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(closeScenarios);

describe("what the contract documents is what it gives", () => {
  it.each(Object.keys(operations) as OperationId[])("%s succeeds", async (operationId) => {
    const reply = await world.send(world.request(operationId));
    expect(reply.statusCode, reply.body).toBe(operations[operationId].successStatus);
  });

  it.each(cases)("%s %i %s", async (operationId, status, code) => {
    const reply = await play(operationId, code);
    expect([reply.statusCode, reply.json().code], reply.body).toEqual([status, code]);
  });
});
