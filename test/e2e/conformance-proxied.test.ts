// Runs the conformance checks through `prism proxy --errors` in front of a real msgd, so that Prism, an independent reader of
// the contract, checks every reply.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type OperationId, operations } from "@msgctl/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Conformance, checkConformance } from "../../packages/conformance/src/check-conformance.ts";
import { createHttpSend } from "../../packages/conformance/src/program/http-send.ts";
import { NotReachable, type Send } from "../../packages/conformance/src/target/send.ts";
import { documentFile } from "../../packages/contract/test/document.ts";
import { type Prism, startPrismProxy } from "../../packages/mocks/src/prism.ts";
import { exampleProvisioning } from "../../packages/server/src/testing/provisioning-example.ts";
import { MsgdFolder } from "./msgd-process.ts";

/** Type of the error that Prism returns instead of a reply that violates the contract. */
const VIOLATION = "https://stoplight.io/prism/errors#VIOLATIONS";

const operationIds = Object.keys(operations) as OperationId[];
const folder = new MsgdFolder();
let proxy: Prism;
let found: Conformance;
const complaints: string[] = [];

beforeAll(async () => {
  const { baseUrl } = await folder.shareDemo();
  const file = join(folder.parent, "provisioning.json");
  writeFileSync(file, JSON.stringify(exampleProvisioning(Number(folder.demoCredential.tenantId))), { mode: 0o600 });
  folder.command("provisioning", "import", file, "--tenant", folder.demoCredential.tenantId);
  // the server has to see and refuse requests that are invalid on purpose
  proxy = await startPrismProxy({ upstream: baseUrl, document: documentFile, validateRequests: false });
  const credential = folder.demoCredential;
  const bounds = { requestTimeoutMs: 60_000, deadlineMs: 540_000, maxRequests: 3_000 };
  const send = createHttpSend(new URL(proxy.url), credential, bounds);
  let next = 0;
  const newNumber = () => `+1202555${String(2_000 + next++).padStart(4, "0")}`;
  const surroundings = { credential, others: {}, prefix: "proxied-", newNumber, pause: sleep };
  found = await checkConformance(listening(send), surroundings, operationIds);
  // Prism validates a thousand exchanges on one thread
});
afterAll(async () => {
  await proxy?.stop();
  await folder.remove();
});

/** Collects the violations that Prism reports. Prism's own answers, such as to unknown paths, count as not reached. */
function listening(send: Send): Send {
  return async (request, options) => {
    const reply = await send(request, options);
    if (reply.body.includes(VIOLATION)) complaints.push(`${request.method} ${request.url}: ${reply.body}`);
    if (reply.headers["x-request-id"] === undefined) throw new NotReachable("Prism answers it by itself");
    return reply;
  };
}

it("Prism finds no reply that violates the contract", () => {
  expect(complaints).toEqual([]);
  expect([found.violations, found.ended]).toEqual([[], null]);
});

it("the checks include a success of every operation, and hundreds of refusals", () => {
  const reached = found.outcomes.filter(({ result }) => result === "reached");
  const succeeded = new Set(reached.filter(({ code }) => code === null).map(({ operationId }) => operationId));
  expect(operationIds.filter((id) => !succeeded.has(id))).toEqual([]);
  expect(reached.length).toBeGreaterThan(200);
});
