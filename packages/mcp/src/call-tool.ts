// Runs one call of a tool: reads it, asks a person if it has to, sends it once, and presents the reply.

import { randomUUID } from "node:crypto";
import {
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type RequestStateCodec,
} from "@modelcontextprotocol/server";
import type { Fetch } from "@msgctl/sdk";
import { type Access, type Answer, CliError, call } from "msgctl/calls";
import { askFirst } from "./confirmation.ts";
import { type Arguments, isRefusal, ToolFailure, toErrorResult } from "./failure.ts";
import { merchantOf } from "./offered-tools.ts";
import type { Options } from "./options.ts";
import { notOf, type Presented, presentReply } from "./presented-reply.ts";
import { readRequest, type ToolRequest } from "./request.ts";
import { countOf, digest, type SendBudget, type SendMemory } from "./sends.ts";
import type { ToolRecord } from "./tool-record.ts";

/** The state that all calls of this process share. */
export interface Session {
  readonly options: Options;
  /** Reads the credential. @throws {CliError} If there is none. */
  readonly access: () => Access;
  readonly memory: SendMemory;
  readonly budget: SendBudget;
  /** Seals the call that a question is about, so that an answer counts for no other. */
  readonly questions: RequestStateCodec<string>;
  /** Replaces msgctl's transport. */
  readonly transport?: Fetch;
}

/** The parts of an MCP request that a call uses. */
export interface Caller {
  readonly signal: AbortSignal;
  /** A person's answers, if the client repeats the request with them. */
  readonly responses: Record<string, unknown> | undefined;
  /** The call that these answers are about, see `Planned.subject`; undefined if there are none. */
  readonly answered: string | undefined;
  readonly capabilities: ClientCapabilities | undefined;
  /** Tells the client that the call takes longer. */
  readonly progress: (attempt: number, message: string) => void;
}

export async function callTool(
  session: Session,
  tool: ToolRecord,
  args: Arguments,
  caller: Caller,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const request = readRequest(tool, args, session.options.merchant);
    const access = session.access();
    if (tool.method === "GET") return await read(session, tool, { request, access }, caller);
    return await write(session, tool, { request, access }, caller);
  } catch (error) {
    return toErrorResult(error, args);
  }
}

async function read(
  session: Session,
  tool: ToolRecord,
  { request, access }: { request: ToolRequest; access: Access },
  caller: Caller,
): Promise<CallToolResult> {
  const { merchant } = session.options;
  const { data } = await send(session, tool, { request, access, key: undefined }, caller).catch((error: unknown) => {
    const isMissing = error instanceof CliError && error.details.status === 404;
    throw isMissing && merchant !== undefined && merchantOf(tool) === "reply" ? notOf(merchant) : error;
  });
  return toResult(presentReply(tool, data, { ...request, ...session.options }));
}

async function write(
  session: Session,
  tool: ToolRecord,
  { request, access }: { request: ToolRequest; access: Access },
  caller: Caller,
): Promise<CallToolResult | InputRequiredResult> {
  const { options, memory, budget } = session;
  const { body } = request;
  const isBillable = tool.cost === "billable";
  const given = request.idempotencyKey;
  const found = isBillable ? memory.find(tool, body) : undefined;
  // a call that cannot go out twice is neither confirmed nor counted twice
  const earlier = given === undefined || given === found?.key ? found : undefined;
  const count = earlier === undefined ? countOf(tool, body) : 0;
  budget.check(count);
  if (tool.cost !== undefined && !options.yes && earlier === undefined) {
    const values = { ...request.path, ...request.query, ...body };
    const planned = { tool, values, body, baseUrl: access.baseUrl, subject: digest(tool, { values, given }) };
    const question = askFirst(planned, budget, caller);
    if (question !== undefined) {
      return inputRequired({ ...question, requestState: await session.questions.mint(planned.subject) });
    }
  }
  const key = given ?? earlier?.key ?? randomUUID();
  const reserved = budget.reserve(count);
  let isNew = false;
  try {
    isNew = isBillable && memory.remember(tool, body, key);
    const answer = await send(session, tool, { request, access, key }, caller);
    if (answer.replayed) reserved.release();
    const presented = presentReply(tool, answer.data, { ...request, ...options });
    return toResult(presented, describeKey(tool, key, answer.replayed, earlier?.secondsAgo));
  } catch (error) {
    if (isRefusal(error)) {
      reserved.release();
      // an earlier call stays remembered: the refusal of this one does not undo it
      if (isNew) memory.forget(tool, body);
    }
    throw error;
  }
}

function send(
  { options, transport }: Session,
  tool: ToolRecord,
  { request, access, key }: { request: ToolRequest; access: Access; key: string | undefined },
  { signal, progress }: Caller,
): Promise<Answer> {
  const { method, path, reply, identity } = tool;
  const record = { method, path, inputs: [], output: { kind: reply.kind }, ...(identity !== null && { identity }) };
  return call({
    record,
    request: { path: request.path, query: request.query, body: request.body, headers: {} },
    ...{ access, signal, timeoutMs: options.timeoutMs, idempotencyKey: key, transport },
    hooks: {
      onRetry: ({ attempt, delayMs, status }) => {
        const why = status === undefined ? "no reply" : `status ${status}`;
        progress(
          attempt,
          `Attempt ${attempt} failed (${why}); the next one follows in ${(delayMs / 1_000).toFixed(1)} s.`,
        );
      },
    },
  });
}

function describeKey(
  { idempotent }: ToolRecord,
  key: string,
  isReplayed: boolean,
  secondsAgo: number | undefined,
): string[] {
  if (!idempotent) return [];
  if (!isReplayed)
    return [
      `Its idempotencyKey is ${key}: the same call with this key does nothing again and returns the current state.`,
    ];
  const when = secondsAgo === undefined ? "" : ` ${secondsAgo} s ago`;
  return [
    `This call was already made${when}, with idempotencyKey ${key}. Nothing was done again; this is the current state.`,
  ];
}

function toResult({ structured, notes }: Presented, more: readonly string[] = []): CallToolResult {
  const remarks = [...notes, ...more];
  return {
    structuredContent: structured,
    content: [
      ...(remarks.length > 0 ? [{ type: "text" as const, text: remarks.join("\n") }] : []),
      { type: "text", text: JSON.stringify(structured) },
    ],
  };
}

/** Counts the calls that are under way, and refuses more than a number of them. */
export class Turns {
  readonly #most: number;
  readonly #open = new Set<Promise<unknown>>();

  constructor(most: number) {
    this.#most = most;
  }

  async take<Result>(act: () => Promise<Result>): Promise<Result> {
    if (this.#open.size >= this.#most) {
      throw new ToolFailure("too_many_calls", `${this.#most} calls are under way`, "Wait for their results first.");
    }
    const call = act();
    this.#open.add(call);
    try {
      return await call;
    } finally {
      this.#open.delete(call);
    }
  }

  /** Waits until the calls that are under way have ended. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#open);
  }
}
