// Which provider carries what. A message is given to whoever carries its tenant's channel, and asked about where it was given.

import type { Channel } from "../../rules/consent.ts";
import type { Provider } from "./provider.ts";

export interface Carriers {
  /** Who carries a tenant's channel now; undefined if nobody does. */
  of(tenantId: number, channel: Channel): Provider | undefined;
  /** The one of that name, which an attempt has on record; undefined if it is there no more. */
  named(name: string): Provider | undefined;
  readonly all: Iterable<Provider>;
}

/** The same for each tenant. One provider may carry several channels. */
export function carryForAll(providers: Partial<Record<Channel, Provider>>): Carriers {
  const all = new Set(Object.values(providers));
  const byName = new Map(Array.from(all, (provider) => [provider.name, provider]));
  return {
    of: (_tenantId, channel) => providers[channel],
    named: (name) => byName.get(name),
    all,
  };
}
