// Runs a handler against the store: reads see committed rows; a write is one unit of work, once per Idempotency-Key.

import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../../platform/clock.ts";
import { FairSemaphore } from "../../platform/fair-line.ts";
import { reached } from "../../platform/probes.ts";
import { Refusal } from "../../rules/refusal.ts";
import type {
  AnyAnswer,
  AnyInput,
  AnyRead,
  AnyWrite,
  Caller,
  OperationContext,
  OperationSettings,
} from "../../steps/operation.ts";
import { findIdempotency, type IdempotencyKey, insertIdempotency, saveIdempotency } from "../../store/idempotency.ts";
import { RowBusy, RunAgain, type Store, type Transaction } from "../../store/store.ts";
import { fingerprint, inProgress, keyReused, readIdempotencyKey } from "./idempotency.ts";
import { fresh, type Outcome } from "./outcome.ts";
import { Repeaters } from "./repeaters.ts";
import {
  executeInSlices,
  type Kept,
  type KeyedWrite,
  limitSlicedWrites,
  type RequireClient,
  type RunUnit,
  requireUnheld,
} from "./sliced-execution.ts";

export interface Execution {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: OperationSettings;
  /** How long an Idempotency-Key is kept. */
  readonly idempotencyMs: number;
  /** Until when, in epoch milliseconds, a key may exist in a row that an insert does not conflict with. @default 0 */
  readonly olderKeysEndAt?: number;
  /** Tells the job runner that a commit may have scheduled a job. */
  readonly notifyJobs: () => void;
}

/** What of a request is not input. */
export interface RequestParts {
  readonly headers: IncomingHttpHeaders;
  /** The label of what it accepts. */
  readonly project: string | null;
}

/** Throws refusals that need no look-up synchronously. A long write calls `requireClient` before it starts. */
export type Execute = (
  caller: Caller,
  input: AnyInput,
  request: RequestParts,
  requireClient: RequireClient,
) => Promise<Outcome>;

export function executeRead(operation: AnyRead, { store, clock, settings }: Execution): Execute {
  return (caller, input) => {
    operation.authorize?.(caller, input);
    return store.read(async (tx) => fresh(await operation.read({ tx, caller, now: clock.now(), settings }, input)));
  };
}

/** Runs a handler that is no unit of work. */
export function executeAnswer(operation: AnyAnswer): Execute {
  return async (caller, input) => fresh(await operation.answer(caller, input));
}

export function executeWrite(operation: AnyWrite, operationId: string, execution: Execution): Execute {
  const { store, clock, settings } = execution;
  const { inSlices } = operation;
  const [turns, underWay] = [new FairSemaphore({ atOnce: 1 }), limitSlicedWrites()];
  const repeaters = new Repeaters(clock);
  return (caller, input, { headers, project }, requireClient) => {
    const key = readIdempotencyKey(headers, input.body);
    // before the replay, which would reveal another merchant's data to a caller who guessed its key
    operation.authorize(caller, input);
    const contextOf = (tx: Transaction): OperationContext => ({
      tx,
      caller,
      now: clock.now(),
      settings,
      project,
    });
    const keyed =
      key === undefined
        ? undefined
        : onceForKey(operation, input, {
            contextOf,
            key: { tenantId: caller.tenantId, merchantId: caller.merchantId, operation: operationId, key },
            fingerprint: fingerprint(input.path, input.body),
            keptMs: execution.idempotencyMs,
            isFirstLookedFor: clock.now() < (execution.olderKeysEndAt ?? 0) || repeaters.has(caller.tenantId),
            noteRepeat: () => repeaters.note(caller.tenantId),
          });
    if (inSlices?.isNeeded(input)) {
      const { tenantId } = caller;
      const run: RunUnit = (unit) => turns.run(tenantId, () => store.write((tx) => unit(contextOf(tx))));
      const services = { run, keyed, notifyJobs: execution.notifyJobs, requireClient };
      return underWay.run(tenantId, () => executeInSlices(inSlices, input, services));
    }
    const once = keyed?.once ?? (async (tx) => fresh((await operation.write(contextOf(tx), input)).result));
    // what labels has no form for many units
    return store.write(once, operation.mayShare === true && project === null ? "together" : undefined);
  };
}

/**
 * Writes, and stores the key with what was written. Most keys are new, so an existing one is looked up only after a run
 * was refused, or found the key in use at its end, and first for a tenant that has lately repeated a request.
 */
function onceForKey(
  operation: AnyWrite,
  input: AnyInput,
  call: {
    contextOf: (tx: Transaction) => OperationContext;
    key: IdempotencyKey;
    fingerprint: string;
    keptMs: number;
    isFirstLookedFor: boolean;
    noteRepeat: () => void;
  },
): KeyedWrite {
  const { contextOf, key } = call;
  let isLookedFor = call.isFirstLookedFor;

  async function findReplay(context: OperationContext): Promise<Outcome | undefined> {
    const earlier = await findIdempotency(context.tx, key, { fingerprint: call.fingerprint, now: context.now });
    if (earlier === undefined) return undefined;
    call.noteRepeat();
    if (earlier.fingerprint !== call.fingerprint) throw keyReused(key.key);
    reached("a request is a repeat");
    return { result: await operation.replay(context, JSON.parse(earlier.reference)), replayed: true };
  }

  function rowOf({ now }: OperationContext, { reference, executedAt }: Kept) {
    const expiresAt = (executedAt ?? now) + call.keptMs;
    return { fingerprint: call.fingerprint, reference: JSON.stringify(reference), expiresAt, now };
  }

  function keep(context: OperationContext, written: Kept): Promise<boolean> {
    return insertIdempotency(context.tx, key, rowOf(context, written));
  }

  async function write(context: OperationContext): Promise<Outcome> {
    if (operation.inSlices !== undefined) await requireUnheld(context, call);
    try {
      const written = await operation.write(context, input);
      if (!(await keep(context, written))) throw inUse();
      return fresh(written.result);
    } catch (error) {
      const replayed = error instanceof Refusal ? await findReplay(context) : undefined;
      if (replayed === undefined) throw error;
      return replayed;
    }
  }

  /**
   * The key is taken before anything that other requests wait for: where its first request is under way at another instance, this
   * one waits for that, and nobody for this one.
   */
  async function writeBesideOthers(context: OperationContext): Promise<Outcome> {
    if (operation.inSlices !== undefined) await requireUnheld(context, call);
    context.tx.waitBriefly();
    const isTaken = await keep(context, { reference: {} }).catch((error: unknown) => {
      throw error instanceof RowBusy ? inProgress(key.key) : error;
    });
    if (!isTaken) throw inUse();
    const written = await operation.write(context, input);
    await saveIdempotency(context.tx, key, rowOf(context, written));
    return fresh(written.result);
  }

  function inUse(): RunAgain {
    return new RunAgain(`idempotency key ${key.key} is in use`);
  }

  /** The key is looked up while the operation reads: one found in use when it is stored would cost the others. */
  async function writeTogether(context: OperationContext): Promise<Outcome> {
    const finding = findIdempotency(context.tx, key, { fingerprint: call.fingerprint, now: context.now });
    const [found, written] = await Promise.allSettled([finding, operation.write(context, input)]);
    if (found.status === "rejected") throw found.reason;
    if (found.value !== undefined) throw new RunAgain(`idempotency key ${key.key} was used before`);
    if (written.status === "rejected") throw written.reason;
    await keep(context, written.value);
    return fresh(written.value.result);
  }

  async function once(tx: Transaction): Promise<Outcome> {
    const context = contextOf(tx);
    if (tx.isShared) {
      isLookedFor = true;
      return writeTogether(context);
    }
    const replay = isLookedFor ? await findReplay(context) : undefined;
    isLookedFor = true;
    if (replay !== undefined) return replay;
    return tx.dialect.isShared ? writeBesideOthers(context) : write(context);
  }

  // no spread, which would cost a send some microseconds
  return { key, fingerprint: call.fingerprint, once, findReplay, keep };
}
