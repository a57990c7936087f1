// Sends the callbacks that are due, and wakes for whatever is due next. Any number may share a store.

import { randomBytes } from "node:crypto";
import type { Clock } from "../../clock.ts";
import { SealedError } from "../../secret-box.ts";
import { deleteOldCallbacks, expireCallbackLeases } from "../../store/callbacks.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { Alarm } from "../alarm.ts";
import type { Logger } from "../task-runner.ts";
import { postCallback, recordCallback } from "./attempt.ts";
import { type CallbackClaim, type CallbackTask, claimCallbacks } from "./claim.ts";
import type { Poster, PostResult } from "./post.ts";

export interface CallbackDispatcherOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly poster: Poster;
  /** The secrets that a tenant's callbacks are signed with, newest first. */
  readonly secretsOf: (tx: Transaction, owner: { tenantId: number; now: number }) => Promise<string[]>;
  /** 0 to 1, for the jitter of retries. @default Math.random */
  readonly random?: () => number;
  /** True where no other process sends from the store: attempts found under way at the start are dead. @default false */
  readonly isAlone?: boolean;
  /** Attempts under way at once at one receiver. @default 8 */
  readonly perHost?: number;
  /** Attempts under way at once. @default 128 */
  readonly concurrency?: number;
  /** How long an attempt is held, in milliseconds. Longer than one takes. @default 30000 */
  readonly leaseMs?: number;
  /** How long `stop` waits for attempts under way, in milliseconds. @default 2000 */
  readonly drainMs?: number;
}

export interface CallbackDispatcher {
  start(): Promise<void>;
  /** Says that a commit may have added a callback. */
  notify(): void;
  /** Whether anything is at work now, rather than waiting for the clock: what a virtual clock watches. */
  isBusy(): boolean;
  /** Takes nothing more, and waits for the attempts under way; those that outlast `drainMs` are made again later. */
  stop(): Promise<void>;
}

const defaults = { random: Math.random, isAlone: false, perHost: 8, concurrency: 128, leaseMs: 30_000, drainMs: 2_000 };

/** How soon what the store did not take is tried again. */
const RETRY_MS = 1_000;
/** How long a callback is kept for whoever looks into it once it is over. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
/** Old callbacks that are removed at once: a bite that holds up nobody. */
const BITE = 200;

export function createCallbackDispatcher(options: CallbackDispatcherOptions): CallbackDispatcher {
  return new LineDispatcher({ ...defaults, ...options });
}

class LineDispatcher implements CallbackDispatcher {
  readonly #settings: Required<CallbackDispatcherOptions>;
  readonly #alarm: Alarm;
  readonly #underWay = new Set<Promise<void>>();
  readonly #underWayAt = new Map<string, number>();
  /** Tells the leases of this dispatcher from those of any other, ever. */
  readonly #name = randomBytes(8).toString("hex");
  #claims = 0;
  #claiming: Promise<void> | undefined;
  #isNotified = false;
  #isRunning = false;

  constructor(settings: Required<CallbackDispatcherOptions>) {
    this.#settings = settings;
    this.#alarm = new Alarm(settings.clock, () => this.notify());
  }

  async start(): Promise<void> {
    const { isAlone, store, clock } = this.#settings;
    if (isAlone) await store.write((tx) => expireCallbackLeases(tx, clock.now()));
    this.#isRunning = true;
    this.notify();
  }

  notify(): void {
    this.#isNotified = true;
    if (this.#mayClaim()) this.#claiming ??= this.#claimRounds();
  }

  isBusy(): boolean {
    return this.#claiming !== undefined || this.#underWay.size > 0;
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#claiming;
    this.#alarm.clear();
    // on the machine's clock, as the attempts are
    const bound = setTimeout(() => this.#settings.poster.close(), this.#settings.drainMs);
    await Promise.all(this.#underWay);
    clearTimeout(bound);
    this.#settings.poster.close();
  }

  #mayClaim(): boolean {
    return this.#isRunning && this.#isNotified && this.#underWay.size < this.#settings.concurrency;
  }

  async #claimRounds(): Promise<void> {
    while (this.#mayClaim()) {
      this.#isNotified = false;
      try {
        const { tasks, secrets, isMoreDue, nextDueAt } = await this.#claim();
        for (const task of tasks) this.#begin(task, secrets.get(task.callback.tenantId));
        if (isMoreDue) this.#isNotified = true;
        if (nextDueAt !== undefined) this.#alarm.set(nextDueAt);
      } catch (error) {
        this.#settings.logger.error({ err: error }, "callbacks could not be looked up; they are tried again");
        this.#alarm.set(this.#settings.clock.now() + RETRY_MS);
      }
    }
    this.#claiming = undefined;
  }

  #claim(): Promise<CallbackClaim & { secrets: Map<number, string[]> }> {
    const { store, clock, leaseMs, perHost, concurrency } = this.#settings;
    this.#claims += 1;
    const token = `${this.#name}-${this.#claims}`;
    const roomOf = (host: string) => Math.max(0, perHost - (this.#underWayAt.get(host) ?? 0));
    return store.write(async (tx) => {
      const now = clock.now();
      const claim = await claimCallbacks({ tx, now, token, leaseMs, roomOf }, concurrency - this.#underWay.size);
      const secrets = await this.#readSecrets(tx, claim.tasks, now);
      if (claim.tasks.length === 0) await deleteOldCallbacks(tx, now - KEPT_MS, BITE);
      return { ...claim, secrets };
    });
  }

  /** A tenant whose secrets cannot be read is left out: its attempts fail, and nobody else's do. */
  async #readSecrets(tx: Transaction, tasks: readonly CallbackTask[], now: number): Promise<Map<number, string[]>> {
    const secrets = new Map<number, string[]>();
    for (const tenantId of new Set(tasks.map(({ callback }) => callback.tenantId))) {
      try {
        secrets.set(tenantId, await this.#settings.secretsOf(tx, { tenantId, now }));
      } catch (error) {
        if (!(error instanceof SealedError)) throw error;
        const text = "a tenant's callbacks cannot be signed: msgd callbacks secret --rotate makes it a new secret";
        this.#settings.logger.error({ err: error, tenantId }, text);
      }
    }
    return secrets;
  }

  #begin(task: CallbackTask, secrets: readonly string[] | undefined): void {
    const { host } = task.callback;
    this.#underWayAt.set(host, (this.#underWayAt.get(host) ?? 0) + 1);
    const attempt = this.#perform(task, secrets).finally(() => {
      this.#underWay.delete(attempt);
      this.notify();
    });
    this.#underWay.add(attempt);
  }

  async #perform(task: CallbackTask, secrets: readonly string[] | undefined): Promise<void> {
    const { poster, clock, store, random, logger } = this.#settings;
    const { host, webhookId } = task.callback;
    const unsigned: PostResult = { status: undefined, outcome: "no secret" };
    const result = secrets === undefined ? unsigned : await postCallback(poster, task, { secrets, clock });
    // before the record, which sets the receiver's line right for whoever claims next
    this.#leave(host);
    if (result.status === undefined) {
      logger.warn({ webhookId, host, attempt: task.attempt, outcome: result.outcome }, "a callback was not taken");
    }
    try {
      await store.write((tx) => recordCallback(tx, task, result, { now: clock.now(), random }));
    } catch (error) {
      logger.error({ err: error, webhookId }, "a callback's attempt was not recorded; it is made again");
    }
  }

  #leave(host: string): void {
    const left = (this.#underWayAt.get(host) ?? 1) - 1;
    if (left === 0) this.#underWayAt.delete(host);
    else this.#underWayAt.set(host, left);
  }
}
