// Checks whether a server keeps a promise that the contract makes about an operation, beyond the form of its replies.

import type { OperationId } from "@msgctl/contract";
import type { CheckedReply } from "../contract-check/reply-check.ts";
import { fieldsOf, wordsOf } from "../target/reply.ts";
import type { Target } from "../target/target.ts";

/** Repeats with an Idempotency-Key, limits of fields, isolation of tenants, isolation of merchants, reads after writes. */
export type PromiseKind = "repeats" | "limits" | "tenants" | "merchants" | "reads";

export interface OperationPromise {
  readonly kind: PromiseKind;
  readonly operationId: OperationId;
  /** Description of the promise. */
  readonly words: string;
  /** @throws {BrokenPromise} If the server breaks the promise. @throws {NotReachable} If that cannot be determined. */
  check(target: Target): Promise<void>;
}

/** Returns a factory of promises of a kind. */
export function promiser(kind: PromiseKind) {
  return (
    operationId: OperationId,
    words: string,
    check: (target: Target, operationId: OperationId) => Promise<void>,
  ): OperationPromise => ({ kind, operationId, words, check: (target) => check(target, operationId) });
}

/** A reply that follows the contract but must not answer this request. */
export class BrokenPromise extends Error {
  readonly reply: CheckedReply;
  readonly allowed: string;

  constructor(reply: CheckedReply, fault: string, allowed: string) {
    super(fault);
    this.reply = reply;
    this.allowed = allowed;
  }
}

/** Checks status and code; `*_not_found` matches any code with that ending. @throws {BrokenPromise} If the reply is another one. */
export function expectReply(reply: CheckedReply, status: number, code = ""): void {
  const received = String(fieldsOf(reply).code ?? "");
  const isCode = code.startsWith("*") ? received.endsWith(code.slice(1)) : code === "" || code === received;
  if (reply.statusCode === status && isCode) return;
  const allowed = `${status} ${code}`.trimEnd();
  throw new BrokenPromise(reply, `expected ${allowed}, answered ${wordsOf(reply)}`, `${allowed} for this request`);
}

/** @throws {BrokenPromise} If the reply contains `text`. */
export function expectSilenceOn(reply: CheckedReply, text: string, whose: string): void {
  if (!reply.body.includes(text)) return;
  throw new BrokenPromise(reply, `shows ${text}, which is ${whose}`, `nothing of ${whose}`);
}
