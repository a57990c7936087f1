// Errors that a model can act on: results of a tool, never errors of the protocol.

import type { CallToolResult } from "@modelcontextprotocol/server";
import { CliError, hints } from "msgctl/calls";
import { asToolCalls } from "./tool-words.ts";

/** A call that this server refuses itself. Nothing was sent. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** The arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The result of a failed call: its code and message, what is wrong, what to do. */
export function toErrorResult(error: unknown, args: Arguments): CallToolResult {
  const failure = describe(error, args);
  return { isError: true, content: [{ type: "text", text: JSON.stringify({ error: failure }) }] };
}

function describe(error: unknown, args: Arguments): Record<string, unknown> {
  if (error instanceof ToolFailure) {
    return { code: error.code, message: error.message, ...(error.hint !== undefined && { hints: [error.hint] }) };
  }
  if (!(error instanceof CliError)) throw error;
  const { status, faults = [], requestId, idempotencyKey, retryAfterMs, reply = {} } = error.details;
  const known = status !== undefined && Object.hasOwn(hints, error.code) ? hints[error.code] : undefined;
  const all = [...(known === undefined ? [] : [fill(known, { ...reply, ...args })]), ...(error.details.hints ?? [])];
  return {
    code: error.code,
    message: error.message,
    ...(status !== undefined && { status }),
    ...(faults.length > 0 && { errors: faults }),
    ...(all.length > 0 && { hints: all.map(asToolCalls) }),
    ...(retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(requestId !== undefined && { requestId }),
  };
}

/** Puts values of the call or the reply in place of a hint's `<names>`. */
function fill(hint: string, values: Arguments): string {
  return hint.replace(/<(\w+)>/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : placeholder;
  });
}

/** Whether the service refused the call, so that nothing was done under its key. */
export function isRefusal(error: unknown): boolean {
  if (error instanceof ToolFailure) return true;
  const status = error instanceof CliError ? (error.details.status ?? 0) : 0;
  // after these, an earlier attempt of the same call may have been carried out
  return status >= 400 && status < 500 && ![408, 409, 429].includes(status);
}
