// Opens a tenant's carrier of any kind.

import { listCallsUnderWay } from "../domain/calls/rows.ts";
import { notePresence } from "../domain/provisioning/presence.ts";
import { findProvisioning, listSipUsers } from "../domain/provisioning/rows.ts";
import { toEventsUrl } from "../domain/public-paths.ts";
import type { Store } from "../store/store.ts";
import type { CarrierSuccession } from "./installed-carriers.ts";
import type { CallSurroundings, CarrierSettings, CarrierSurroundings } from "./kind.ts";
import { publicUrlOf, requireKind } from "./kinds.ts";
import { withLibraries } from "./libraries.ts";
import type { Provider } from "./provider.ts";
import { withCarrierSpeech } from "./speech/carrier-speech.ts";

/** Everything that the server provides to all its carriers. */
export type ServerSurroundings = Pick<CarrierSurroundings, "clock" | "logger" | "speech" | "publicUrl" | "pepper"> & {
  readonly store: Store;
};

/** Opens a carrier. Throws `LibraryMissing` if a library is not installed, or another error if the server lacks a setting. */
export async function openCarrier(
  settings: CarrierSettings,
  succession: CarrierSuccession,
  { store, ...server }: ServerSurroundings,
): Promise<Provider> {
  const kind = requireKind(settings);
  const { name, ledger, eventsId } = succession;
  const publicUrl = publicUrlOf(settings, server.publicUrl);
  const eventsUrl = publicUrl === undefined || eventsId === null ? undefined : toEventsUrl(publicUrl, eventsId);
  const surroundings = { ...server, name, ledger, eventsUrl, calls: callSurroundings(store, succession) };
  const open = () => kind.open(settings, surroundings);
  const carrier = await (kind.libraries === undefined ? open() : withLibraries(kind.libraries, open));
  return kind.traits.speaksText ? withCarrierSpeech(carrier) : carrier;
}

function callSurroundings(store: Store, { tenantId, listNames }: CarrierSuccession): CallSurroundings {
  return {
    listCallsUnderWay: (limit) => store.read((tx) => listCallsUnderWay(tx, { providers: listNames(), limit })),
    findPhones: () =>
      store.read(async (tx) => ({
        domain: (await findProvisioning(tx, tenantId))?.sipDomain ?? undefined,
        users: (await listSipUsers(tx, tenantId)).map(({ sipUsername, extension, agentStatus }) => {
          return { sipUsername, extension, isRegistered: agentStatus !== "OFFLINE" };
        }),
      })),
    async notePresence(presence) {
      await store.write((tx) => notePresence(tx, tenantId, presence));
    },
  };
}
