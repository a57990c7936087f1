// Runs a handler against the store: reads see committed rows; a write is one unit of work, once per Idempotency-Key.

import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../../platform/clock.ts";
import { FairSemaphore } from "../../platform/fair-line.ts";
import { reached } from "../../platform/probes.ts";
import type {
  AnyAnswer,
  AnyInput,
  AnyRead,
  AnyWrite,
  Caller,
  OperationContext,
  OperationSettings,
} from "../../steps/operation.ts";
import { findIdempotency, type IdempotencyKey, keepIdempotency, takeIdempotency } from "../../store/idempotency.ts";
import { RowBusy, RunAgain, type Store, type Transaction } from "../../store/store.ts";
import { fingerprint, inProgress, keyReused, readIdempotencyKey } from "./idempotency.ts";
import { fresh, type Outcome } from "./outcome.ts";
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

interface KeyedCall {
  readonly contextOf: (tx: Transaction) => OperationContext;
  readonly key: IdempotencyKey;
  readonly fingerprint: string;
  readonly keptMs: number;
}

/**
 * Looks for the key, writes, and stores the key with what was written. It is looked for first, so that a repeat changes nothing, and
 * costs nothing of what others have written in its group.
 */
function onceForKey(operation: AnyWrite, input: AnyInput, call: KeyedCall): KeyedWrite {
  const { contextOf, key, fingerprint } = call;

  async function findReplay(context: OperationContext): Promise<Outcome | undefined> {
    const earlier = await findIdempotency(context.tx, key, context.now);
    if (earlier === undefined) return undefined;
    if (earlier.fingerprint !== fingerprint) throw keyReused(key.key);
    reached("a request is a repeat");
    return { result: await operation.replay(context, JSON.parse(earlier.reference)), replayed: true };
  }

  /** Where its first request is under way at another instance, this one waits for that, and holds nothing others wait for. */
  async function take({ tx, now }: OperationContext): Promise<void> {
    const isTaken = await takeIdempotency(tx, key, { fingerprint, now }).catch((error: unknown) => {
      throw error instanceof RowBusy ? inProgress(key.key) : error;
    });
    if (!isTaken) throw inUse();
  }

  function keep({ tx, now }: OperationContext, { reference, executedAt }: Kept): Promise<boolean> {
    const expiresAt = (executedAt ?? now) + call.keptMs;
    return keepIdempotency(tx, key, { fingerprint, reference: JSON.stringify(reference), expiresAt, now });
  }

  function inUse(): RunAgain {
    return new RunAgain(`idempotency key ${key.key} is in use`);
  }

  async function once(tx: Transaction): Promise<Outcome> {
    const context = contextOf(tx);
    if (operation.inSlices !== undefined) await requireUnheld(context, call);
    const replay = await findReplay(context);
    if (replay !== undefined) return replay;
    await take(context);
    const written = await operation.write(context, input);
    if (!(await keep(context, written))) throw inUse();
    return fresh(written.result);
  }

  return { key, fingerprint, once, findReplay, keep };
}
