// Keeps an agent that repeats itself from sending twice, and one in a loop from sending to many.

import { createHash } from "node:crypto";
import { ToolFailure } from "./failure.ts";
import type { ToolRecord } from "./tool-record.ts";

/** The time for which a send without a key is remembered. The same call after this time is a new send. */
const REMEMBERED_MS = 10 * 60_000;
/** The number of sends that are remembered. Further ones are refused, so that none is forgotten. */
const MOST_REMEMBERED = 10_000;

interface Remembered {
  readonly key: string;
  readonly at: number;
}

/** The billable calls of the last ten minutes that have or may have been carried out, with their random keys. */
export class SendMemory {
  readonly #sends = new Map<string, Remembered>();
  readonly #now: () => number;

  /** @param now the time in milliseconds, of a clock that is never set back */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The key of the same call in the last ten minutes, and how many seconds ago that was; undefined if there was none. */
  find(tool: ToolRecord, body: unknown): { key: string; secondsAgo: number } | undefined {
    const found = this.#sends.get(digest(tool, body));
    const age = found === undefined ? Number.POSITIVE_INFINITY : this.#now() - found.at;
    return found !== undefined && age < REMEMBERED_MS
      ? { key: found.key, secondsAgo: Math.round(age / 1_000) }
      : undefined;
  }

  /**
   * Remembers a send, unless the same one is remembered already. Returns whether it was not: then the caller has to forget it
   * if the service refuses it.
   *
   * @throws {ToolFailure} If ten thousand are remembered.
   */
  remember(tool: ToolRecord, body: unknown, key: string): boolean {
    if (this.find(tool, body) !== undefined) return false;
    const at = this.#now();
    // a Map keeps the order of insertion, so the oldest come first
    for (const [name, send] of this.#sends) {
      if (at - send.at < REMEMBERED_MS) break;
      this.#sends.delete(name);
    }
    if (this.#sends.size >= MOST_REMEMBERED) {
      throw new ToolFailure(
        "too_many_sends",
        `${MOST_REMEMBERED} sends were made in ten minutes`,
        "Give an idempotencyKey of your own.",
      );
    }
    const name = digest(tool, body);
    this.#sends.delete(name);
    this.#sends.set(name, { key, at });
    return true;
  }

  /** Call this if the service refused the call, and `remember` returned true for it. */
  forget(tool: ToolRecord, body: unknown): void {
    this.#sends.delete(digest(tool, body));
  }
}

/** A short name of a tool with its arguments, whatever their order. */
export function digest({ name }: ToolRecord, body: unknown): string {
  return createHash("sha256")
    .update(`${name}\0${canonical(body)}`)
    .digest("base64");
}

/** JSON with the members of objects in one order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Counts the recipients and purchases of this process, and refuses more than a number of them. */
export class SendBudget {
  readonly #most: number;
  #used = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get left(): number {
    return this.#most - this.#used;
  }

  /** @throws {ToolFailure} If fewer are left. */
  check(recipients: number): void {
    if (recipients > this.left) {
      throw new ToolFailure(
        "max_sends_reached",
        `this server may send to ${this.#most} recipients (--max-sends, where a purchase counts one); ${this.#used} are used, and this call has ${recipients}`,
        "Ask the person who runs it. Starting it again begins a new count.",
      );
    }
  }

  /** Call `release` if the send did not happen. @throws {ToolFailure} If fewer are left. */
  reserve(recipients: number): { release(): void } {
    this.check(recipients);
    this.#used += recipients;
    let isOpen = true;
    return {
      release: () => {
        if (isOpen) this.#used -= recipients;
        isOpen = false;
      },
    };
  }
}

/** The people to whom a billable call goes, in the order of the contract's fields. */
export function recipientsOf(
  { cost, recipients }: ToolRecord,
  body: Record<string, unknown> | undefined,
): readonly unknown[] {
  if (cost !== "billable") return [];
  return recipients.flatMap((name) => body?.[name] ?? []);
}

/** The part of the budget that a call takes: one for each recipient, and one for a purchase, which has none. */
export function countOf(tool: ToolRecord, body: Record<string, unknown> | undefined): number {
  return tool.cost === "billable" ? Math.max(1, recipientsOf(tool, body).length) : 0;
}
