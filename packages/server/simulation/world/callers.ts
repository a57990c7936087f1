// Callers of the service. Each repeats its request with the same key until it knows the outcome, and remembers the answers.

import { Refusal } from "../../src/domain/refusal.ts";
import { CommitInDoubt, StoreUnavailable } from "../../src/store/store.ts";
import type { Random } from "../random.ts";
import type { Chances } from "./chances.ts";
import type { Instance, Reply, Request } from "./instance.ts";
import { merchants } from "./population.ts";
import { merchantOf, type Wanted } from "./requests.ts";
import type { Scheduled, Scheduler } from "./scheduler.ts";
import type { Wires } from "./wires.ts";

const SECOND_US = 1_000_000;
/** How long a caller waits for an answer. */
const TIMEOUT_US = 30 * SECOND_US;
const LEAST_PAUSE_US = 100_000;
const LONGEST_PAUSE_US = 30 * SECOND_US;
/** Time for which a revoked key may still work. */
const REVOKED_WITHIN_US = 1 * SECOND_US;
/** Attempts after which a caller may give up. */
const PATIENT_FOR = 3;

/** A request and the answer that acknowledged it. */
export interface Acknowledged {
  readonly request: Request;
  /** Id of the row that the request created. */
  readonly id: string;
  /** Step of the world at which the request was answered. */
  readonly at: number;
  /** Time of the first attempt, in microseconds of the world. */
  readonly begunAt: number;
}

export interface CallersOptions {
  readonly scheduler: Scheduler;
  readonly wires: Wires;
  readonly chances: Chances;
  readonly random: Random;
  /** Instances that take requests. */
  readonly instances: () => readonly Instance[];
  readonly fail: (invariant: string, detail: string) => void;
}

interface Call {
  readonly request: Request;
  readonly begunAt: number;
  attempts: number;
  repeats: number;
  /** Whether each answer so far said that nothing was done. */
  isUndone: boolean;
  timeout: Scheduled | undefined;
}

export class Callers {
  /** Acknowledged requests by key. */
  readonly acknowledged = new Map<string, Acknowledged>();
  /** Requests given up without effect: each answer said that nothing was done. */
  readonly undone: Request[] = [];
  readonly #options: CallersOptions;
  readonly #waiting = new Set<Call>();
  /** Number of requests that each tenant has begun, by operation. */
  readonly #begun = new Map<string, number>();
  /** Each merchant's last request, except upsertMerchant, which another tenant may send as well. */
  readonly #last = new Map<string, Request>();
  /** Revocation times of merchants' keys, in microseconds of the world. */
  readonly #revokedAt = new Map<string, number>();
  readonly #lost: { from: number; to: number }[] = [];

  constructor(options: CallersOptions) {
    this.#options = options;
  }

  /** Whether a caller still waits for an answer. */
  get areWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Begins a request. Tenants use the same Idempotency-Keys: i0 for the first request of each operation, then i1, and so
   * on.
   */
  begin(wanted: Wanted, { isHasty }: { isHasty: boolean }): void {
    const kind = `${wanted.tenant} ${wanted.operationId}`;
    const number = this.#begun.get(kind) ?? 0;
    this.#begun.set(kind, number + 1);
    const request = { idempotencyKey: `i${number}`, ...wanted };
    if (request.operationId !== "upsertMerchant") this.#last.set(request.merchantId, request);
    const call: Call = {
      request,
      begunAt: this.#options.scheduler.now,
      attempts: 0,
      repeats: 0,
      isUndone: !isHasty,
      timeout: undefined,
    };
    this.#waiting.add(call);
    this.#attempt(call);
    if (isHasty) this.#attempt(call);
  }

  /** A user of another tenant repeats the merchant's last request unchanged except for the credential. */
  trespass(of: number, key: string): void {
    const { scheduler, wires, random, fail } = this.#options;
    const last = this.#last.get(merchantOf(of).merchantId);
    const instances = this.#options.instances();
    const stranger = merchants.find(({ tenant }) => tenant !== last?.tenant);
    if (last === undefined || stranger === undefined || instances.length === 0) return;
    const { tenant, headers } = stranger;
    const instance = random.pick(instances);
    scheduler.in(wires.way(), `stranger ${last.operationId} ${key}`, instance.process, () => {
      instance.answer({ ...last, tenant, headers, key }).then(
        ({ result }) => fail("tenants are apart", `${key} by a stranger was answered ${JSON.stringify(result)}`),
        (error) => {
          if (!isUnserved(error)) this.#requireRefusal(last.operationId, key, error);
        },
      );
    });
  }

  #attempt(call: Call): void {
    const { scheduler, wires, chances, random } = this.#options;
    call.attempts += 1;
    const attempt = call.attempts;
    const instances = this.#options.instances();
    call.timeout = scheduler.in(TIMEOUT_US, `caller ${call.request.key} waited`, undefined, () => {
      if (instances.length > 0) call.isUndone = false;
      this.#again(call, attempt);
    });
    if (instances.length === 0) return;
    const instance = random.pick(instances);
    const { process } = instance;
    const isLost = chances.happens("caller's answer is lost");
    const { operationId, key } = call.request;
    scheduler.in(wires.way(), `${operationId} ${key}`, process, () => {
      const answer = (settle: (at: number) => void) => {
        const at = scheduler.steps;
        if (!isLost) scheduler.in(wires.way(), `${process.name} answers ${key}`, undefined, () => settle(at));
      };
      const heardAt = scheduler.now;
      instance.answer(call.request).then(
        (reply) => {
          this.#requireValid(call.request, heardAt);
          answer((at) => this.#learn(call, attempt, { at, ...reply }));
        },
        (error) => answer(() => this.#hearRefusal(call, attempt, error)),
      );
    });
  }

  noteRevoked(merchantId: string): void {
    this.#revokedAt.set(merchantId, this.#options.scheduler.now);
  }

  /** Forgets the answers given in these steps, because the restored backup is older. */
  forget(lost: { from: number; to: number }): void {
    this.#lost.push(lost);
    this.#revokedAt.clear();
    for (const [key, { at }] of this.acknowledged) if (this.#isLost(at)) this.acknowledged.delete(key);
  }

  #isLost(at: number): boolean {
    return this.#lost.some(({ from, to }) => at >= from && at <= to);
  }

  #learn(call: Call, attempt: number, { result, replayed, at }: Reply & { at: number }): void {
    const { random } = this.#options;
    if (!this.#isLost(at))
      this.#remember({ request: call.request, id: idOf(result), at, begunAt: call.begunAt }, replayed);
    if (attempt !== call.attempts) return;
    call.isUndone = false;
    call.timeout?.cancel();
    if (call.repeats === 0 && random.chance(0.2)) {
      call.repeats += 1;
      this.#later(call, random.spread(LEAST_PAUSE_US, 10 * LONGEST_PAUSE_US));
    } else {
      this.#waiting.delete(call);
    }
  }

  #remember(told: Acknowledged, replayed: boolean): void {
    const { key } = told.request;
    const known = this.acknowledged.get(key);
    if (known === undefined) this.acknowledged.set(key, told);
    else if (known.id !== told.id) {
      this.#options.fail(
        "a key's replay is the same",
        `${key} was ${known.id}, and is ${told.id} (replayed: ${replayed})`,
      );
    }
  }

  #hearRefusal(call: Call, attempt: number, error: unknown): void {
    if (attempt !== call.attempts) return;
    if (error instanceof CommitInDoubt || isInProgress(error)) call.isUndone = false;
    if (isUnserved(error)) {
      this.#again(call, attempt);
      return;
    }
    call.timeout?.cancel();
    this.#waiting.delete(call);
    if (call.isUndone) this.undone.push(call.request);
    this.#requireRefusal(call.request.operationId, call.request.key, error);
  }

  /** Fails if a request was served that arrived more than a second after its key was revoked. */
  #requireValid({ merchantId, key }: Request, heardAt: number): void {
    const revokedAt = this.#revokedAt.get(merchantId) ?? Number.POSITIVE_INFINITY;
    if (heardAt <= revokedAt + REVOKED_WITHIN_US) return;
    this.#options.fail("a revoked key is refused", `${key} was served ${heardAt - revokedAt} µs after`);
  }

  #requireRefusal(operationId: string, key: string, error: unknown): void {
    if (error instanceof Refusal) return;
    this.#options.fail("a request ends in an answer", `${operationId} ${key}: ${String(error)}`);
  }

  #again(call: Call, attempt: number): void {
    const { random } = this.#options;
    if (attempt !== call.attempts) return;
    call.timeout?.cancel();
    if (call.attempts > PATIENT_FOR && random.chance(0.2)) {
      if (call.isUndone) this.undone.push(call.request);
      this.#waiting.delete(call);
      return;
    }
    this.#later(call, random.spread(LEAST_PAUSE_US, LONGEST_PAUSE_US));
  }

  #later(call: Call, inUs: number): void {
    this.#options.scheduler.in(inUs, `caller ${call.request.key} again`, undefined, () => this.#attempt(call));
  }
}

/** Whether a request that got this error should be repeated. */
function isUnserved(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof CommitInDoubt || isInProgress(error);
}

function isInProgress(error: unknown): boolean {
  return error instanceof Refusal && error.code === "idempotency_in_progress";
}

/** Id of the message, batch, payment or other row that a reply describes. */
function idOf(result: unknown): string {
  const { messageId, batchId, paymentId, merchantId, contact } = Object(result) as Record<string, unknown>;
  return String(messageId ?? batchId ?? paymentId ?? `${merchantId} ${contact ?? ""}`);
}
