// Sends the requests of the checks to a server, checks every reply against the contract, and collects the findings.

import { setTimeout as sleep } from "node:timers/promises";
import { type OperationId, operations } from "@msgctl/contract";
import { type CheckedReply, createReplyCheck } from "../contract-check/reply-check.ts";
import { NoReply, NotReachable, type Request, type Send, type SendOptions } from "./send.ts";

/** A violation of the contract. Occurrences of the same violation are counted in `times`. */
export interface Violation {
  readonly operationId: OperationId;
  /** Method and path with query, of the first occurrence. */
  readonly request: string;
  /** The fault in words. */
  readonly fault: string;
  /** Status and start of the body, of the first occurrence, or why there was no reply. */
  readonly received: string;
  readonly allowed: string;
  readonly times: number;
}

const RECEIVED_CHARACTERS = 300;
/** After this many requests without a reply, an operation is no longer called: each may take a whole request timeout. */
const MOST_SILENCES = 2;
const RATE_LIMIT_TRIES = 5;
const LONGEST_WAIT_MS = 5_000;
const SHORT_WAIT_MS = 1_000;

export class Watch {
  readonly #send: Send;
  readonly #first: OperationId;
  readonly #judge = createReplyCheck();
  readonly #violations = new Map<string, Violation>();
  readonly #seen = new Set<string>();
  /** Undefined during preparation. */
  #begun: OperationId | undefined;
  /** Number of requests without a reply, by operation. */
  readonly #silences = new Map<OperationId | undefined, number>();
  #hasFault = false;
  #lastRequest: Request | undefined;
  #requests = 0;

  /** A reply on no operation's path is attributed to the operation being checked, or to `first` before the first check. */
  constructor(send: Send, first: OperationId) {
    this.#send = send;
    this.#first = first;
  }

  get #current(): OperationId {
    return this.#begun ?? this.#first;
  }

  get violations(): Violation[] {
    return [...this.#violations.values()];
  }

  get requests(): number {
    return this.#requests;
  }

  /** Whether any reply since `begin` had a fault or was missing. */
  get hasFault(): boolean {
    return this.#hasFault;
  }

  /** Whether the operation is no longer called. */
  get isSilent(): boolean {
    return (this.#silences.get(this.#begun) ?? 0) >= MOST_SILENCES;
  }

  /** Whether a faultless reply of this operation, status and code has occurred, such as `sendSms`, 429, `rate_limited`. */
  hasSeen(operationId: OperationId, status: number, code: string | null): boolean {
    return this.#seen.has(`${operationId} ${status} ${code}`);
  }

  /** Sets the operation that the following requests are for. */
  begin(operationId: OperationId): void {
    this.#begun = operationId;
    this.#hasFault = false;
  }

  /** Records a fault: the reply follows the contract, but must not answer the last request. */
  noteWrong(reply: CheckedReply, fault: string, allowed: string): void {
    if (this.#lastRequest === undefined) throw new Error("no request was sent that this reply could answer");
    this.#note(this.#current, this.#lastRequest, reply, fault, allowed);
  }

  /** Calls the server, and repeats the call if its rate limit asks for a pause. @throws {NotReachable} If no reply came. */
  readonly send: Send = async (request, options) => {
    for (let tries = 1; ; tries += 1) {
      const reply = await this.#sendOnce(request, options);
      if (reply.statusCode !== 429 || tries === RATE_LIMIT_TRIES) return reply;
      const seconds = Number(reply.headers["retry-after"]);
      await sleep(Number.isFinite(seconds) ? Math.min(seconds * 1_000, LONGEST_WAIT_MS) : SHORT_WAIT_MS);
    }
  };

  async #sendOnce(request: Request, options: SendOptions | undefined): Promise<CheckedReply> {
    if (this.isSilent) throw new NotReachable("not asked: requests before it got no reply");
    this.#requests += 1;
    this.#lastRequest = request;
    const reply = await this.#send(request, options).catch((error: unknown) => {
      if (!(error instanceof NoReply)) throw error;
      this.#silences.set(this.#begun, (this.#silences.get(this.#begun) ?? 0) + 1);
      const nothing = { statusCode: 0, headers: {}, body: error.message };
      const { operationId = this.#current } = this.#judge(request, nothing);
      this.#noteFaults(operationId, request, nothing, ["no reply"]);
      throw new NotReachable(error.message);
    });
    const { operationId = this.#current, status, code, faults } = this.#judge(request, reply);
    this.#noteFaults(operationId, request, reply, faults);
    if (faults.length === 0) this.#seen.add(`${operationId} ${status} ${code}`);
    return reply;
  }

  #noteFaults(operationId: OperationId, request: Request, reply: CheckedReply, faults: readonly string[]): void {
    if (faults.length > 0) this.#hasFault = true;
    for (const fault of faults) this.#note(operationId, request, reply, fault, allowedOf(operationId));
  }

  #note(operationId: OperationId, request: Request, reply: CheckedReply, fault: string, allowed: string): void {
    const key = `${operationId} ${fault}`;
    const known = this.#violations.get(key);
    const received = `${reply.statusCode || ""} ${reply.body.slice(0, RECEIVED_CHARACTERS)}`.trim();
    const first = { operationId, request: `${request.method} ${request.url}`, fault, received, allowed, times: 0 };
    this.#violations.set(key, { ...(known ?? first), times: (known?.times ?? 0) + 1 });
  }
}

function allowedOf(operationId: OperationId): string {
  const { successStatus, responseSchema, responseIsArray, responseMediaType, errors } = operations[operationId];
  const view = responseSchema === null ? "" : ` ${responseSchema}${responseIsArray ? "[]" : ""}`;
  const media = responseMediaType === null ? " without content" : ` as ${responseMediaType}`;
  const problems = Object.entries(errors).map(([status, codes]) => `${status} ${codes.join("|")}`);
  return [`${successStatus}${view}${media}`, ...problems].join(", ");
}
