import { inBackground, type Store } from "../../store/store.ts";
import { listTenantsOfWaitingCalls, wakeCallsOf } from "../../store/waiting-calls.ts";
import type { SpeechEngines } from "./speech-engines.ts";

/** Tenants that are looked at at a time. */
const TENANTS_A_LOOK = 100;
const BEFORE_ALL = -1;

/**
 * Has the calls go on that waited for somebody who can speak in them, and can; after a change of carriers all, as what is
 * discarded has to end. Returns whether there are any.
 */
export async function wakeWaitingCalls(
  anyStore: Store,
  { engines, isChanged, now }: { engines: Pick<SpeechEngines, "of">; isChanged: boolean; now: number },
): Promise<boolean> {
  const store = inBackground(anyStore);
  let woken = 0;
  for (let after = BEFORE_ALL; ; ) {
    const { tenants, able } = await store.read(async (tx) => {
      const listed = await listTenantsOfWaitingCalls(tx, { after, limit: TENANTS_A_LOOK });
      const found = await Promise.all(listed.map((tenantId) => engines.of(tx, tenantId)));
      return { tenants: listed, able: listed.filter((_id, index) => isChanged || found[index] !== undefined) };
    });
    for (const tenantId of able) woken += await store.write((tx) => wakeCallsOf(tx, tenantId, now));
    const last = tenants.at(-1);
    if (last === undefined) return woken > 0;
    after = last;
  }
}
