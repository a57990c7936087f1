// Checks that a repeat with the same Idempotency-Key has no effect, and is answered with the result of the first call.

import { type OperationId, operations } from "@msgctl/contract";
import type { CheckedReply } from "../contract-check/reply-check.ts";
import { newKey } from "../scenarios/requests.ts";
import { wordsOf } from "../target/reply.ts";
import { NotReachable } from "../target/send.ts";
import type { Target } from "../target/target.ts";
import { BrokenPromise, expectReply, type OperationPromise, promiser } from "./promise.ts";

const writing = (Object.keys(operations) as OperationId[]).filter((operationId) => operations[operationId].idempotent);

const promise = promiser("repeats");

export const repeats: readonly OperationPromise[] = writing.map((operationId) =>
  promise(operationId, "a repeat with its key is the same call", (target) => repeat(target, operationId)),
);

/** Calls the operation, awaits `between`, and calls it again with the same key. */
export async function repeat(
  target: Target,
  operationId: OperationId,
  between: () => Promise<void> = async () => {},
): Promise<void> {
  const headers = newKey(target);
  const request = target.request(operationId);
  const { successStatus } = operations[operationId];
  const first = await target.send(request, { headers });
  if (first.statusCode !== successStatus) throw new NotReachable(`the first call answered ${wordsOf(first)}`);
  if (isReplay(first)) {
    throw new BrokenPromise(first, "a new key was answered as a repeat", "no Idempotent-Replayed for a new key");
  }
  await between();
  const second = await target.send(request, { headers });
  expectReply(second, successStatus);
  if (!isReplay(second)) {
    throw new BrokenPromise(second, "a repeat does not say that it is one", "Idempotent-Replayed: true for a repeat");
  }
  const [made, told] = [idsOf(first), idsOf(second)];
  if (made === told) return;
  throw new BrokenPromise(second, `the repeat gave ${told}, the first call ${made}`, "the ids of the first call");
}

function isReplay({ headers }: CheckedReply): boolean {
  return headers["idempotent-replayed"] === "true";
}

function idsOf({ body }: CheckedReply): string {
  if (body === "") return "nothing";
  return JSON.stringify(Object.entries(JSON.parse(body)).filter(([name]) => /id$/i.test(name)));
}
