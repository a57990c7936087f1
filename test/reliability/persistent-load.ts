import { setTimeout as sleep } from "node:timers/promises";
import type { Credential } from "../e2e/msgd-process.ts";
import { between } from "./between.ts";

/** The messages to send, each to a different recipient. */
export interface Sending {
  /** Path below `/api/v1/`. */
  readonly path: string;
  recipient(serial: number): string;
  body(recipient: string, serial: number): object;
}

const HANDS = 12;
const RETRY_MS = 50;
const LONGEST_PAUSE_MS = 25;

/**
 * Sends messages one after the other, and repeats each until it is acknowledged, whatever happens to the servers. It uses the
 * servers in turn.
 */
export class PersistentLoad {
  readonly #baseUrls: readonly string[];
  readonly #credential: Credential;
  readonly #sending: Sending;
  readonly #acknowledged: string[] = [];
  #hands: readonly Promise<void>[] = [];
  #serial = 0;
  #tries = 0;
  #isPaused = true;

  /** Creates the load in paused state: call `goOn` to start it. */
  constructor(baseUrls: readonly string[], credential: Credential, sending: Sending) {
    this.#baseUrls = baseUrls;
    this.#credential = credential;
    this.#sending = sending;
  }

  /** The recipients of all acknowledged messages. */
  get acknowledged(): readonly string[] {
    return this.#acknowledged;
  }

  goOn(): void {
    this.#isPaused = false;
    this.#hands = Array.from({ length: HANDS }, () => this.#work());
  }

  /** Stops starting messages. Resolves when all started ones are acknowledged. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await Promise.all(this.#hands);
  }

  /** Waits until each worker has at least one more acknowledgement. */
  async waitForMore(): Promise<void> {
    const before = this.#acknowledged.length;
    while (this.#acknowledged.length < before + 2 * HANDS) await sleep(RETRY_MS);
  }

  async #work(): Promise<void> {
    while (!this.#isPaused) {
      this.#serial += 1;
      await this.#send(this.#serial);
      await sleep(between(0, LONGEST_PAUSE_MS));
    }
  }

  async #send(serial: number): Promise<void> {
    const recipient = this.#sending.recipient(serial);
    const body = this.#sending.body(recipient, serial);
    while (!(await this.#try(body, `message-${serial}`))) await sleep(RETRY_MS);
    this.#acknowledged.push(recipient);
  }

  async #try(body: object, key: string): Promise<boolean> {
    this.#tries += 1;
    const baseUrl = this.#baseUrls[this.#tries % this.#baseUrls.length] ?? "";
    try {
      const { ok } = await post(baseUrl, this.#credential, { path: this.#sending.path, body, key });
      return ok;
    } catch {
      return false;
    }
  }
}

/** Posts once. Returns whether that succeeded, and the reply's text. */
export async function post(
  baseUrl: string,
  { apiKey, apiSecret }: Credential,
  { path, body, key }: { path: string; body: object; key?: string },
): Promise<{ ok: boolean; said: string }> {
  const reply = await fetch(`${baseUrl}/api/v1/${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": apiKey,
      "x-api-secret": apiSecret,
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    body: JSON.stringify(body),
  });
  return { ok: reply.ok, said: await reply.text() };
}
