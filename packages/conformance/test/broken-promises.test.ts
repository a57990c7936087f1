// Breaks each promise: changes one kind of reply of a server that keeps all promises.

import type { OperationId } from "@msgctl/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CheckedReply } from "../src/contract-check/reply-check.ts";
import { promises } from "../src/promises/index.ts";
import type { PromiseKind } from "../src/promises/promise.ts";
import type { Request, SendOptions } from "../src/target/send.ts";
import type { Target } from "../src/target/target.ts";
import { merchantId, openWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Change = (reply: CheckedReply, asked: Request & SendOptions) => Partial<CheckedReply>;

const isReplay = ({ headers }: CheckedReply) => headers["idempotent-replayed"] === "true";
const textOf = ({ body }: Request) => JSON.stringify(body ?? "");
const refusal = (statusCode: number, code: string) => ({ statusCode, body: JSON.stringify({ code }) });

const changes: [kind: PromiseKind, operationId: OperationId, fault: string, change: Change][] = [
  ["repeats", "recordConsent", "a repeat does not say that it is one", () => ({ headers: {} })],
  [
    "repeats",
    "recordConsent",
    "a new key was answered as a repeat",
    () => ({ headers: { "idempotent-replayed": "true" } }),
  ],
  [
    "repeats",
    "sendSms",
    'the repeat gave [["messageId","msg_2"]], the first call [["merchantId","bright',
    (reply) => (isReplay(reply) ? { body: '{"messageId":"msg_2"}' } : {}),
  ],
  [
    "limits",
    "recordConsent",
    'refuses 200 of "a" in source',
    (_reply, asked) => (/[^a]a{200}[^a]/.test(textOf(asked)) ? refusal(400, "validation_error") : {}),
  ],
  [
    "limits",
    "recordConsent",
    "expected 400, answered 200",
    (reply) => (reply.statusCode === 400 ? { statusCode: 200 } : {}),
  ],
  [
    "limits",
    "recordConsent",
    "expected an error too_long at /source, and there is none",
    (reply) => (reply.statusCode === 400 ? refusal(400, "validation_error") : {}),
  ],
  [
    "tenants",
    "getMerchant",
    "expected 404 *_not_found, answered 403 merchant_scope_denied",
    (reply) => (reply.statusCode === 404 ? refusal(403, "merchant_scope_denied") : {}),
  ],
  [
    "tenants",
    "recordConsent",
    "another tenant's request changed this tenant's data",
    (reply) => (reply.body.startsWith("[") ? { body: `[${Math.random()}]` } : {}),
  ],
  [
    "tenants",
    "listConsents",
    `shows ${merchantId}, which is another tenant's`,
    () => ({ body: JSON.stringify([{ merchantId }]) }),
  ],
  ["tenants", "getVoiceProvisioning", "which is another tenant's", (_reply) => ({ body: provisioned })],
  [
    "tenants",
    "upsertMerchant",
    "another tenant's Idempotency-Key was treated as this tenant's",
    () => ({ headers: { "idempotent-replayed": "true" } }),
  ],
  [
    "merchants",
    "sendSms",
    "expected 403 merchant_scope_denied, answered 404 merchant_not_found",
    () => refusal(404, "merchant_not_found"),
  ],
  ["merchants", "getTtsCall", "expected 404 *_not_found, answered 200", () => ({ statusCode: 200, body: "{}" })],
  [
    "merchants",
    "listAlerts",
    `shows ${merchantId}, which is another merchant's`,
    () => ({ body: JSON.stringify([{ merchantId }]) }),
  ],
  [
    "merchants",
    "listAlerts",
    "expected 403 merchant_scope_denied, answered 200",
    () => ({ statusCode: 200, body: "[]" }),
  ],
];
const provisioned = JSON.stringify({ sipUsers: [{ sipUsername: "dana" }] });

it.each(changes)("%s of %s: %s", async (kind, operationId, fault, change) => {
  const target: Target = {
    ...world,
    async send(request, options) {
      const { statusCode, headers, body } = await world.send(request, options);
      const reply = { statusCode, headers, body };
      return { ...reply, ...change(reply, { ...request, ...options }) };
    },
  };
  const faults: string[] = [];
  for (const promise of promises.filter((each) => each.kind === kind && each.operationId === operationId)) {
    await promise.check(target).catch((error: Error) => faults.push(`${error.constructor.name}: ${error.message}`));
  }
  expect(faults).toContainEqual(expect.stringContaining(fault));
  for (const each of faults) expect(each).toMatch(/^BrokenPromise: /);
});
