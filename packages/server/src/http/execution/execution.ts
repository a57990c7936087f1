// Runs handlers against the store. A read sees committed rows. A write takes effect once per Idempotency-Key. It runs in
// one transaction or, if it is long, in several.

import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { IDEMPOTENCY_KEY_MAX_LENGTH, IDEMPOTENCY_KEY_PATTERN } from "@msgctl/contract/constants";
import type { Caller, OperationContext, OperationSettings } from "../../domain/context.ts";
import type { AnyAnswer, AnyInput, AnyRead, AnyWrite, Slicing, WriteResult } from "../../domain/handler.ts";
import { Refusal } from "../../domain/refusal.ts";
import { canonicalText } from "../../domain/unicode.ts";
import type { Clock } from "../../platform/clock.ts";
import { FairSemaphore } from "../../platform/fair-queue.ts";
import { reached } from "../../platform/probes.ts";
import {
  findHeldKey,
  findIdempotency,
  type HeldKey,
  type IdempotencyKey,
  keepIdempotency,
  takeIdempotency,
} from "../../store/idempotency.ts";
import { RowBusy, RunAgain, type Store, type Transaction, type Work } from "../../store/store.ts";

/**
 * Returns the request's Idempotency-Key, from the header or from the body's `idempotencyKey`; undefined without either.
 * Throws `idempotency_key_invalid`, and `idempotency_key_conflict` when both are given and differ.
 */
function readIdempotencyKey(headers: IncomingHttpHeaders, body?: unknown): string | undefined {
  const inHeader = readHeader(headers);
  const inBody = hasKey(body) ? body.idempotencyKey : undefined;
  if (inHeader !== undefined && inBody !== undefined && inHeader !== inBody) {
    const detail =
      "The Idempotency-Key header and the field idempotencyKey differ; send one of them or the same in both.";
    throw new Refusal("idempotency_key_conflict", detail);
  }
  return inHeader ?? inBody;
}

function readHeader(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined || typeof key !== "string") return undefined;
  if (IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  const detail = `Expected 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} printable ASCII characters; received ${key.length}.`;
  throw new Refusal("idempotency_key_invalid", "The Idempotency-Key cannot be used.", {
    errors: [{ pointer: "/header/Idempotency-Key", code: "idempotency_key_invalid", detail }],
  });
}

/** Returns whether the body has a key. Validation has checked it by the same rule as the header. */
function hasKey(body: unknown): body is { idempotencyKey: string } {
  return typeof body === "object" && body !== null && "idempotencyKey" in body;
}

/** Returns a hash that is equal for equal requests, regardless of member order, spacing and the place of the key. */
function fingerprint(path: unknown, body: unknown): string {
  if (!hasKey(body)) return hash("sha256", canonicalText([path, body]), "base64");
  const { idempotencyKey: _, ...rest } = body;
  return hash("sha256", canonicalText([path, rest]), "base64");
}

function inProgress(key: string): Refusal {
  const detail = `The first request with Idempotency-Key ${key} is still in progress. Repeat this request in a second.`;
  return new Refusal("idempotency_in_progress", detail);
}

function keyReused(key: string): Refusal {
  const detail = `Idempotency-Key ${key} was used for another request. Repeat that request unchanged, or use a new key.`;
  return new Refusal("idempotency_key_reused", detail);
}

/** The outcome of a successful request. */
interface Outcome {
  readonly result: unknown;
  /** Whether the key was used before. `result` is then the current state of the object that the first call created. */
  readonly replayed: boolean;
}

function fresh(result: unknown): Outcome {
  return { result, replayed: false };
}

type RunTransaction = Slicing["run"];
/** Throws if the client has disconnected. */
export type RequireClient = () => void;
/** The part of a write's result that is stored with its Idempotency-Key. */
type Kept = Omit<WriteResult<unknown>, "result">;

/** An Idempotency-Key, and the fingerprint of its request. */
interface KeyClaim {
  readonly key: IdempotencyKey;
  readonly fingerprint: string;
}

interface KeyedWrite extends KeyClaim {
  /** The whole write in one transaction. */
  readonly once: Work<Outcome>;
  /**
   * Finds the current state of the object that the key created. Throws `idempotency_key_reused` for another request's
   * key.
   */
  readonly findReplay: (context: OperationContext) => Promise<Outcome | undefined>;
  /** Stores the key. Resolves to false if it is in use. */
  readonly keep: (context: OperationContext, written: Kept) => Promise<boolean>;
}

/**
 * Maximum number of a tenant's sliced writes in progress. Their slices alternate, so more writes would only slow each
 * other down.
 */
const MOST_UNDER_WAY = 8;

const slicedWrites = {
  atOnce: Number.POSITIVE_INFINITY,
  perOwner: MOST_UNDER_WAY,
  mostWaiting: { perOwner: 0, owners: 0 },
  refuse: () =>
    new Refusal(
      "rate_limited",
      `A tenant may have ${MOST_UNDER_WAY} requests of this size in progress. Nothing was done; try again once one of them has ended.`,
    ),
};

/** Throws `idempotency_in_progress` or `idempotency_key_reused` while a request in progress holds the key. */
async function requireUnheld({ tx }: OperationContext, claim: KeyClaim): Promise<void> {
  const held = await findHeldKey(tx, scopeOf(claim));
  if (held === undefined) return;
  throw held.fingerprint === claim.fingerprint ? inProgress(claim.key.key) : keyReused(claim.key.key);
}

/**
 * Runs a write in several transactions. The first transaction that writes claims the Idempotency-Key, and the last stores
 * the key with the result; a repeat in between gets `idempotency_in_progress`. If the client disconnects before the first
 * transaction that writes, nothing is done. After that, the write is completed.
 */
async function executeInSlices(
  { write }: NonNullable<AnyWrite["inSlices"]>,
  input: AnyInput,
  services: {
    run: RunTransaction;
    keyed: KeyedWrite | undefined;
    notifyJobs: () => void;
    requireClient: RequireClient;
  },
): Promise<Outcome> {
  const { keyed, notifyJobs, requireClient } = services;
  let hasBegun = false;
  // the client is checked inside the transaction, because the transaction may have waited for others
  const run: RunTransaction = (work) =>
    services.run(async (context) => {
      if (!hasBegun) requireClient();
      return work(context);
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
    // look up the replay only after this check: a request that ends between the two is then found as a replay
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

export interface Execution {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: OperationSettings;
  /** How long an Idempotency-Key is kept, in milliseconds. */
  readonly idempotencyMs: number;
  /** Notifies the job runner that a commit may have scheduled a job. */
  readonly notifyJobs: () => void;
}

/** Executes a request. Refusals that need no lookup are thrown synchronously. A long write first calls `requireClient`. */
export type Execute = (
  caller: Caller,
  input: AnyInput,
  request: { readonly headers: IncomingHttpHeaders; readonly project: string | null },
  requireClient: RequireClient,
) => Promise<Outcome>;

export function executeRead(operation: AnyRead, { store, clock, settings }: Execution): Execute {
  return (caller, input) => {
    operation.authorize?.(caller, input);
    return store.read(async (tx) => fresh(await operation.read({ tx, caller, now: clock.now(), settings }, input)));
  };
}

/** Runs a handler that uses another part of the server instead of the store. */
export function executeAnswer(operation: AnyAnswer): Execute {
  return async (caller, input) => fresh(await operation.answer(caller, input));
}

export function executeWrite(operation: AnyWrite, operationId: string, execution: Execution): Execute {
  const { store, clock, settings } = execution;
  const { inSlices } = operation;
  const [transactions, underWay] = [new FairSemaphore({ atOnce: 1 }), new FairSemaphore(slicedWrites)];
  return (caller, input, { headers, project }, requireClient) => {
    const key = readIdempotencyKey(headers, input.body);
    // authorized before a replay, which could reveal another merchant's data to a caller that guessed its key
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
      const run: RunTransaction = (work) => transactions.run(tenantId, () => store.write((tx) => work(contextOf(tx))));
      const services = { run, keyed, notifyJobs: execution.notifyJobs, requireClient };
      return underWay.run(tenantId, () => executeInSlices(inSlices, input, services));
    }
    const once = keyed?.once ?? (async (tx) => fresh((await operation.write(contextOf(tx), input)).result));
    // a write with a project label has no batch statement, so it does not share a transaction
    return store.write(once, operation.mayShare === true && project === null ? "together" : undefined);
  };
}

interface KeyedCall extends KeyClaim {
  readonly contextOf: (tx: Transaction) => OperationContext;
  readonly keptMs: number;
}

/**
 * Looks up the key, runs the write, and stores the key with the result. A repeat is found before anything is written, so
 * it changes nothing and does not roll back the other requests of its group.
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

  /** If another instance is running the first request with the key, waits for its end without holding any row locks. */
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
