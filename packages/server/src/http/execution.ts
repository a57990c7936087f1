// Runs a handler against the store: reads on committed rows; writes in one unit of work, once per Idempotency-Key.

import type { IncomingHttpHeaders } from "node:http";
import type { OperationId } from "@msgctl/contract";
import type { Clock } from "../clock.ts";
import type {
  AnyInput,
  AnyRead,
  AnyWrite,
  Caller,
  OperationContext,
  OperationSettings,
} from "../operations/operation.ts";
import { Refusal } from "../operations/refusal.ts";
import { findIdempotency, insertIdempotency } from "../store/idempotency.ts";
import type { Store } from "../store/store.ts";
import { fingerprint, readIdempotencyKey } from "./idempotency.ts";

export interface Execution {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: OperationSettings;
  /** How long repeats of a call collapse into it. */
  readonly idempotencyMs: number;
  /** Tells the dispatcher that a commit has left it work. */
  readonly notifyDispatcher: () => void;
}

export interface Outcome {
  readonly result: unknown;
  /** The key was used before: nothing was written, and `result` is what the first call made as it stands now. */
  readonly replayed: boolean;
}

export type Execute = (caller: Caller, input: AnyInput, headers: IncomingHttpHeaders) => Promise<Outcome>;

export function executeRead(operation: AnyRead, { store, clock, settings }: Execution): Execute {
  return async (caller, input) => {
    operation.authorize(caller, input);
    const result = await store.read((tx) => operation.read({ tx, caller, now: clock.now(), settings }, input));
    return { result, replayed: false };
  };
}

export function executeWrite(operation: AnyWrite, operationId: OperationId, execution: Execution): Execute {
  const { store, clock, settings, idempotencyMs, notifyDispatcher } = execution;
  return async (caller, input, headers) => {
    const key = readIdempotencyKey(headers);
    // before the replay, which would show another merchant's data to whoever guessed its key
    operation.authorize(caller, input);
    const call = key === undefined ? undefined : { key, fingerprint: fingerprint(input.path, input.body) };

    const outcome = await store.write(async (tx): Promise<Outcome> => {
      const context: OperationContext = { tx, caller, now: clock.now(), settings };
      if (call === undefined) return { result: (await operation.write(context, input)).result, replayed: false };

      const row = { tenantId: caller.tenantId, operation: operationId, key: call.key };
      const earlier = await findIdempotency(tx, row, context.now);
      if (earlier !== undefined) {
        if (earlier.fingerprint !== call.fingerprint) throw keyReused(call.key);
        return { result: await operation.replay(context, JSON.parse(earlier.reference)), replayed: true };
      }
      const { result, reference } = await operation.write(context, input);
      await insertIdempotency(tx, row, {
        fingerprint: call.fingerprint,
        reference: JSON.stringify(reference),
        expiresAt: context.now + idempotencyMs,
      });
      return { result, replayed: false };
    });

    if (operation.dispatches === true && !outcome.replayed) notifyDispatcher();
    return outcome;
  };
}

function keyReused(key: string): Refusal {
  const detail = `Idempotency-Key ${key} was used for another request. Repeat that request unchanged, or take a new key.`;
  return new Refusal("idempotency_key_reused", detail);
}
