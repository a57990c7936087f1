// A data folder in which the database alone was put back, by whatever means, shows itself at the start: its carriers were
// given messages that it has yet to submit, or does not have at all.

import type { Clock } from "../clock.ts";
import { PATIENCE_MS } from "../rules/patience.ts";
import { beginRestoration, type Doubts, findCarrierMark, isSubmitted, saveCarrierMark } from "../store/restorations.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { Provider } from "./providers/provider.ts";
import type { Logger } from "./task-runner.ts";

/**
 * How far back a carrier is asked. A submission is on the disk before the carrier hears of it, and no more than the
 * dispatcher's calls overtake each other, so that whatever is missing shows among these.
 */
const NEWEST = 1_024;

/** The database goes on from an earlier moment than its carriers, which are asked about what waits. */
export function restore(tx: Transaction, now: number): Promise<Doubts> {
  return beginRestoration(tx, { now, patienceMs: PATIENCE_MS });
}

/** Begins a restoration where a carrier was given what the database knows nothing of. Before anything is submitted. */
export async function restoreWhereOlder({
  store,
  clock,
  providers,
  logger,
}: {
  store: Store;
  clock: Clock;
  providers: Iterable<Provider>;
  logger: Logger;
}): Promise<void> {
  for (const provider of providers) {
    const { name } = provider;
    const newest = (await provider.listNewest?.(NEWEST)) ?? [];
    if (newest.length === 0) continue;
    const doubts = await store.write((tx) => findOlder(tx, { name, newest, now: clock.now() }));
    if (doubts !== undefined) {
      const text = "the database is older than what its carrier was given: what waits is asked about before it is sent";
      logger.warn({ provider: name, ...doubts }, text);
    }
  }
}

async function findOlder(
  tx: Transaction,
  { name, newest, now }: { name: string; newest: readonly string[]; now: number },
): Promise<Doubts | undefined> {
  const mark = await findCarrierMark(tx, name);
  const [first] = newest;
  for (const messageId of newest) {
    if (messageId === mark) return undefined;
    if (await isSubmitted(tx, messageId)) continue;
    await saveCarrierMark(tx, name, first ?? messageId);
    return restore(tx, now);
  }
  return undefined;
}
