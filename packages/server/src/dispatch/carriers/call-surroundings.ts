// The server as a carrier of calls sees it.

import { notePresence } from "../../steps/presence.ts";
import { listCallsUnderWay } from "../../store/calls.ts";
import { findProvisioning, listSipUsers, type SipUserRow } from "../../store/provisioning.ts";
import type { Store } from "../../store/store.ts";
import type { CallSurroundings, PhoneUser } from "../providers/freeswitch/surroundings.ts";
import type { CarrierSuccession } from "./installed-carriers.ts";

export function callSurroundings(store: Store, { tenantId, listNames }: CarrierSuccession): CallSurroundings {
  return {
    listCallsUnderWay: (limit) => store.read((tx) => listCallsUnderWay(tx, { providers: listNames(), limit })),
    findPhones: () =>
      store.read(async (tx) => ({
        domain: (await findProvisioning(tx, tenantId))?.sipDomain ?? undefined,
        users: (await listSipUsers(tx, tenantId)).map(toPhoneUser),
      })),
    async notePresence(presence) {
      await store.write((tx) => notePresence(tx, tenantId, presence));
    },
  };
}

function toPhoneUser({ sipUsername, extension, agentStatus }: SipUserRow): PhoneUser {
  return { sipUsername, extension, isRegistered: agentStatus !== "OFFLINE" };
}
