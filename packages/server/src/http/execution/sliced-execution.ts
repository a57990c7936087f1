// Runs a write in several units of work. The first that writes claims the Idempotency-Key, and the last stores it with
// the result; a repeat of the request meanwhile gets `idempotency_in_progress`. If the client disconnects before the
// first that writes, nothing is done; after that, the write is completed.

import { FairSemaphore } from "../../platform/fair-line.ts";
import { canonicalText } from "../../rules/canonical-text.ts";
import { Refusal } from "../../rules/refusal.ts";
import type { AnyInput, AnyWrite, OperationContext, Slicing, WriteResult } from "../../steps/operation.ts";
import { findHeldKey, type HeldKey } from "../../store/call-acceptances.ts";
import type { IdempotencyKey } from "../../store/idempotency.ts";
import { RowBusy, type Work } from "../../store/store.ts";
import { inProgress, keyReused } from "./idempotency.ts";
import { fresh, type Outcome } from "./outcome.ts";

export type RunUnit = Slicing["run"];
/** Throws once the client has gone. */
export type RequireClient = () => void;
/** What is stored with an Idempotency-Key. */
export type Kept = Omit<WriteResult<unknown>, "result">;

/** An Idempotency-Key, and the fingerprint of its request. */
export interface KeyClaim {
  readonly key: IdempotencyKey;
  readonly fingerprint: string;
}

export interface KeyedWrite extends KeyClaim {
  /** The whole write as one unit of work. */
  readonly once: Work<Outcome>;
  /** Finds the current state of what the key made before. Throws `idempotency_key_reused` for another request's key. */
  readonly findReplay: (context: OperationContext) => Promise<Outcome | undefined>;
  /** Stores the key. Resolves to false if it is in use. */
  readonly keep: (context: OperationContext, written: Kept) => Promise<boolean>;
}

/** The limit per tenant. They take turns, so that more would only wait for each other. */
const MOST_UNDER_WAY = 8;

/** Limits the sliced writes that each tenant has in progress. Past the limit it rejects with `rate_limited`. */
export function limitSlicedWrites(): FairSemaphore {
  return new FairSemaphore({
    atOnce: Number.POSITIVE_INFINITY,
    perOwner: MOST_UNDER_WAY,
    mostWaiting: { perOwner: 0, owners: 0 },
    refuse: tooMany,
  });
}

/** Throws `idempotency_in_progress` or `idempotency_key_reused` while a request in progress holds the key. */
export async function requireUnheld({ tx }: OperationContext, claim: KeyClaim): Promise<void> {
  const held = await findHeldKey(tx, scopeOf(claim));
  if (held === undefined) return;
  throw held.fingerprint === claim.fingerprint ? inProgress(claim.key.key) : keyReused(claim.key.key);
}

export async function executeInSlices(
  { write }: NonNullable<AnyWrite["inSlices"]>,
  input: AnyInput,
  services: { run: RunUnit; keyed: KeyedWrite | undefined; notifyJobs: () => void; requireClient: RequireClient },
): Promise<Outcome> {
  const { keyed, notifyJobs, requireClient } = services;
  let hasBegun = false;
  // checked inside the unit, which may have waited for its turn
  const run: RunUnit = (unit) =>
    services.run(async (context) => {
      if (!hasBegun) requireClient();
      return unit(context);
    });
  const slicing: Slicing = {
    run,
    async claimKey(context) {
      const held = keyed === undefined ? undefined : await claimKey(context, keyed);
      hasBegun = true;
      return held;
    },
    async keepKey(context, written) {
      if (keyed !== undefined && !(await keyed.keep(context, written))) throw inProgress(keyed.key.key);
    },
    notifyAbandoned: notifyJobs,
  };
  const earlier = await run(async (context) => {
    if (keyed === undefined) return undefined;
    // in this order: one that ends in between is found as a replay
    await requireUnheld(context, keyed);
    return keyed.findReplay(context);
  });
  if (earlier !== undefined) return earlier;
  try {
    return fresh((await write(slicing, input)).result);
  } catch (error) {
    if (error instanceof RowBusy && keyed !== undefined) throw inProgress(keyed.key.key);
    // the result of a request with the same key takes precedence over a refusal
    const replay = error instanceof Refusal ? await run(async (context) => keyed?.findReplay(context)) : undefined;
    if (replay === undefined) throw error;
    return replay;
  }
}

async function claimKey(context: OperationContext, keyed: KeyedWrite): Promise<HeldKey> {
  await requireUnheld(context, keyed);
  if ((await keyed.findReplay(context)) !== undefined) throw inProgress(keyed.key.key);
  return { scope: scopeOf(keyed), fingerprint: keyed.fingerprint };
}

function scopeOf({ key }: KeyClaim): string {
  return canonicalText(key);
}

function tooMany(): Refusal {
  const detail = `Requests as large as this one are worked on for at most ${MOST_UNDER_WAY} of a tenant at a time. Nothing was done; try again once one of them has ended.`;
  return new Refusal("rate_limited", detail);
}
