// Limits of fields: the stated maximum is accepted, and one more is not.

import type { OperationId } from "@msgctl/contract";
import type { CheckedReply } from "../contract-check/reply-check.ts";
import { fieldsOf } from "../target/reply.ts";
import type { Target } from "../target/target.ts";
import { BrokenPromise, expectReply, type OperationPromise, promiser } from "./promise.ts";

const MIB = 1 << 20;

const text = (character: string) => (count: number) => character.repeat(count);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `+1212${5_550_000 + index}`);

interface Limit {
  readonly operationId: OperationId;
  readonly field: string;
  readonly most: number;
  /** Code of the fault for one more than `most`. */
  readonly code: string;
  readonly make: (count: number) => unknown;
}

const limit = (
  operationId: OperationId,
  field: string,
  most: number,
  code: string,
  make: (count: number) => unknown,
): Limit => ({ operationId, field, most, code, make });

const limited: readonly Limit[] = [
  limit("upsertMerchant", "merchantId", 64, "too_long", text("a")),
  limit("upsertMerchant", "displayName", 200, "too_long", text("a")),
  limit("recordConsent", "source", 200, "too_long", text("a")),
  limit("sendSms", "message", 1_600, "too_long", text("a")),
  limit("sendSms", "message", 1_600, "too_long", text("😀")),
  limit("sendDirectSms", "message", 1_600, "too_long", text("a")),
  limit("sendVoice", "text", 3_000, "too_long", text("😀")),
  limit("createTtsCalls", "messageText", 3_000, "too_long", text("😀")),
  limit("sendEmail", "subject", 998, "too_long", text("a")),
  limit("sendEmail", "body", MIB, "too_long", text("a")),
  limit("sendEmail", "body", MIB / 2, "too_long", text("é")),
  limit("sendDirectEmail", "body", MIB, "too_long", text("a")),
  limit("sendDirectEmail", "body", MIB / 4, "too_long", text("😀")),
];
/** Checked only with one number too many, because a check should not make ten thousand calls. */
const costly = limit("createTtsCalls", "toNumbers", 10_000, "too_many", numbers);

const promise = promiser("limits");

export const limits: readonly OperationPromise[] = [
  ...limited.map((each) => promise(each.operationId, `takes ${sizeOf(each)}`, (target) => checkMost(target, each))),
  ...[...limited, costly].map((each) =>
    promise(each.operationId, `takes no more than ${sizeOf(each)}`, (target) => checkOneMore(target, each)),
  ),
];

function sizeOf({ field, most, make }: Limit): string {
  const one = make(1);
  return `${most} ${typeof one === "string" ? `of ${JSON.stringify(one)}` : "items"} in ${field}`;
}

function send(target: Target, { operationId, field, make }: Limit, count: number): Promise<CheckedReply> {
  const request = target.request(operationId);
  return target.send({ ...request, body: { ...(request.body as object), [field]: make(count) } });
}

async function checkMost(target: Target, each: Limit): Promise<void> {
  const reply = await send(target, each, each.most);
  // with any other reply, the server has found no fault in the field
  if (reply.statusCode !== 400 && reply.statusCode !== 413) return;
  throw new BrokenPromise(reply, `refuses ${sizeOf(each)}`, `${each.most} in ${each.field}`);
}

async function checkOneMore(target: Target, each: Limit): Promise<void> {
  const reply = await send(target, each, each.most + 1);
  expectReply(reply, 400);
  const { errors } = fieldsOf(reply) as { errors?: readonly { pointer?: unknown; code?: unknown }[] };
  if (errors?.some(({ pointer, code }) => pointer === `/${each.field}` && code === each.code)) return;
  const expected = `an error ${each.code} at /${each.field}`;
  throw new BrokenPromise(reply, `expected ${expected}, and there is none`, expected);
}
