// The carriers of an instance, some of which an operator removes. The instance learns of removals from the database: by
// polling, and when a claim finds a newer count of changes than the instance knows.

import type { Carriers, Listen, QueueKeeper } from "../../src/carriers/carriers.ts";
import type { Provider } from "../../src/carriers/provider.ts";
import { countCarrierChanges, listCarriers } from "../../src/domain/carriers/rows.ts";
import type { Store, Transaction } from "../../src/store/store.ts";
import type { Channel } from "../plan/plan.ts";
import type { MachineProcess } from "./machine.ts";
import type { Removals } from "./removals.ts";

/** Poll interval once all carriers are back: waiting for days must not take thousands of polls. */
const CALM_POLL_MS = 20 * 60_000;

export interface WatchedCarriersOptions {
  readonly carriers: Carriers;
  readonly providers: Readonly<Record<Channel, Provider>>;
  readonly removals: Removals;
  readonly store: Store;
  readonly process: MachineProcess;
  readonly pollIntervalMs: number;
  /** Resumes calls that waited for a carrier. */
  readonly sweepCalls: (isChanged: boolean) => Promise<void>;
}

export function watchCarriers(options: WatchedCarriersOptions): Carriers {
  const { carriers, providers, removals, store, process, pollIntervalMs, sweepCalls } = options;
  let [changes, inUse, discards] = [-1, new Set<string>(), new Map<string, number>()];
  let queues: QueueKeeper | undefined;
  let cancelPoll = () => {};
  let current: Promise<void> | undefined;
  for (const provider of new Set(Object.values(providers))) noteGiven(provider, removals);

  async function pollOnce(): Promise<void> {
    const seen = await store.read(async (tx) => ({
      changes: await countCarrierChanges(tx),
      rows: await listCarriers(tx),
    }));
    const isChanged = seen.changes !== changes;
    const before = inUse;
    inUse = new Set(seen.rows.filter(({ removedAt }) => removedAt === null).map(({ channel }) => channel));
    discards = new Map(
      seen.rows.flatMap(({ channel, discardedAt }) => (discardedAt === null ? [] : [[channel, discardedAt]])),
    );
    changes = seen.changes;
    for (const [channel, provider] of Object.entries(providers)) {
      if (provider.capacity === undefined || before.has(channel) === inUse.has(channel)) continue;
      if (inUse.has(channel)) queues?.open(provider, {});
      else await queues?.close(provider.name);
    }
    await queues?.sweep();
    await sweepCalls(isChanged);
  }

  async function refresh(): Promise<void> {
    while (current !== undefined) await current.catch(() => {});
    current = pollOnce().finally(() => {
      current = undefined;
    });
    return current;
  }

  function goOn(): void {
    if (queues === undefined) return;
    cancelPoll = process.clock.after(removals.isCalm ? CALM_POLL_MS : pollIntervalMs, () => {
      void refresh()
        .catch(() => {})
        .then(goOn);
    });
  }

  return {
    ...carriers,
    of: (tx: Transaction, tenantId: number, channel: Channel) =>
      inUse.has(channel) ? carriers.of(tx, tenantId, channel) : undefined,
    isCurrent: async (tx) => (await countCarrierChanges(tx)) === changes,
    refresh,
    discards: ({ channel, createdAt }) => createdAt <= (discards.get(channel) ?? -1),
    async start(listen: Listen, keeper: QueueKeeper) {
      await carriers.start(listen, keeper);
      inUse = new Set(Object.keys(providers));
      queues = keeper;
      await refresh();
      goOn();
    },
    async stop() {
      queues = undefined;
      cancelPoll();
      await current?.catch(() => {});
      await carriers.stop();
    },
  };
}

/** Tells the world when a message is submitted to a provider. */
function noteGiven(provider: Provider, removals: Removals): void {
  const { submit } = provider;
  provider.submit = (submission, call) => {
    removals.noteGiven(submission.clientReference);
    return submit(submission, call);
  };
}
