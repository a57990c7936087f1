// Detects at the start a data folder in which only the database was restored, by whatever means: its carriers were
// given messages that it has yet to submit, or does not have at all.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { reached } from "../../platform/probes.ts";
import { PATIENCE_MS } from "../../rules/patience.ts";
import { findHistory, renewHistory } from "../../store/lineage.ts";
import {
  askAgain,
  beginRestoration,
  type Doubts,
  findCarrierMark,
  isSubmitted,
  saveCarrierMark,
} from "../../store/restorations.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { beginSuspicion } from "../../store/suspicions.ts";
import { holdStanding } from "../../store/timelines.ts";
import { ProviderCalls } from "../provider-calls.ts";
import type { Provider } from "../providers/provider.ts";

/**
 * How many of its newest messages a carrier is asked for. A submission is on disk before the carrier hears of it, and
 * no more than the dispatcher's calls overtake each other, so anything missing shows among these.
 */
const NEWEST = 1_024;

/** What is in doubt, and how many messages the carriers had, which are also asked about. */
export interface Restored extends Doubts {
  readonly underWay: number;
}

/**
 * Begins a restoration: the carriers are ahead of the database, and are asked about what waits and what they had.
 * `isServed` says whether others may serve the database meanwhile.
 */
export async function restore(tx: Transaction, now: number, { isServed = false } = {}): Promise<Restored> {
  const start = { now, patienceMs: PATIENCE_MS, isServed };
  await renewHistory(tx, tx.randomness.bytes(16).toString("hex"));
  const doubts = await beginRestoration(tx, start);
  return { ...doubts, underWay: await askAgain(tx, start) };
}

interface Circumstances {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Begins a restoration, before anything is submitted, if a carrier was given messages unknown to the database. A
 * carrier that does not answer within `callTimeoutMs` may have been given anything: then what waits for it is asked about.
 */
export async function restoreWhereOlder({
  providers,
  callTimeoutMs,
  ...circumstances
}: Circumstances & { providers: Iterable<Provider>; callTimeoutMs: number }): Promise<void> {
  const { store, clock } = circumstances;
  const calls = new ProviderCalls(clock, callTimeoutMs);
  for (const provider of providers) {
    const history = await store.read(findHistory);
    const listing = calls.run(async ({ signal }) => (await provider.listNewest?.(NEWEST, signal)) ?? []);
    await listing.then(
      (newest) => compare(circumstances, { name: provider.name, newest, history }),
      (error: unknown) => suspect(circumstances, provider, error),
    );
  }
}

/** What a carrier was given, the newest first, and the history of the database when it was asked. */
interface Listed {
  readonly name: string;
  readonly newest: readonly string[];
  readonly history: string;
}

async function compare({ store, clock, logger }: Circumstances, listed: Listed): Promise<void> {
  const restored = await store.write((tx) => restoreIfOlder(tx, listed, clock.now()));
  if (restored === undefined) return;
  const text = "the database is older than what its carrier was given: what waits is asked about before it is sent";
  logger.warn({ provider: listed.name, ...restored }, text);
}

/** What it had is not asked about: most likely nothing was restored, and the carrier will soon be back. */
async function suspect({ store, clock, logger }: Circumstances, { name }: Provider, error: unknown): Promise<void> {
  reached("a carrier does not say what it was given");
  const doubts = await store.write((tx) => beginSuspicion(tx, name, { now: clock.now(), patienceMs: PATIENCE_MS }));
  const text = "a carrier did not say what it was given: what waits for it is asked about before it is sent";
  logger.warn({ err: error, provider: name, ...doubts }, text);
}

async function restoreIfOlder(tx: Transaction, listed: Listed, now: number): Promise<Restored | undefined> {
  const [first] = listed.newest;
  if (first === undefined || !(await isOlder(tx, listed))) return undefined;
  // several instances may find it out at once: one restores
  await holdStanding(tx);
  if ((await findHistory(tx)) !== listed.history) return undefined;
  reached("a database is older than what its carrier was given");
  await saveCarrierMark(tx, listed.name, first);
  return restore(tx, now, { isServed: true });
}

async function isOlder(tx: Transaction, { name, newest }: Listed): Promise<boolean> {
  const mark = await findCarrierMark(tx, name);
  for (const messageId of newest) {
    if (messageId === mark) return false;
    if (!(await isSubmitted(tx, messageId))) return true;
  }
  return false;
}
