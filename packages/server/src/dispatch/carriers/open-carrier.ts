// Opens a carrier of any kind. What it is spoken to with is loaded with the first of its kind.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import type { CarrierSettings } from "../../rules/carrier-settings.ts";
import { notePresence } from "../../steps/presence.ts";
import { listCallsUnderWay } from "../../store/calls.ts";
import { findProvisioning, listSipUsers, type SipUserRow } from "../../store/provisioning.ts";
import type { Store } from "../../store/store.ts";
import type { SpeechFiles } from "../calls/engine.ts";
import type { CallSurroundings, PhoneUser } from "../providers/freeswitch/surroundings.ts";
import type { Provider } from "../providers/provider.ts";
import { loadLibraries } from "./carrier-libraries.ts";
import type { CarrierSuccession } from "./installed-carriers.ts";

export interface CarrierSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Store;
  readonly place: CarrierSuccession;
  /** What makes the speech of calls; undefined if nothing does. */
  readonly speech: SpeechFiles | undefined;
  /** URL under which people reach the server; undefined where the operator has not set one. */
  readonly publicUrl: string | undefined;
  /** Keys the tokens by which bounces and people who unsubscribe name a message. */
  readonly pepper: string;
}

/** Throws `LibraryMissing` if what it needs is not installed, and an error if the server lacks a setting for it. */
export async function openCarrier(
  name: string,
  settings: CarrierSettings,
  surroundings: CarrierSurroundings,
): Promise<Provider> {
  switch (settings.kind) {
    case "smtp": {
      const { openSmtpCarrier } = await loadLibraries("smtp", () => import("../providers/smtp/smtp-carrier.ts"));
      return openSmtpCarrier(name, settings, surroundings);
    }
    case "smpp":
      return loadLibraries("smpp", async () => {
        const { openSmppCarrier } = await import("../providers/smpp/open-smpp-carrier.ts");
        return openSmppCarrier({ name, settings, ...surroundings });
      });
    case "freeswitch": {
      const { clock, logger, store, place, speech } = surroundings;
      if (speech === undefined) throw new Error("msgd serve needs --speech-folder to place calls");
      const { openFreeSwitchCarrier } = await import("../providers/freeswitch/open-freeswitch-carrier.ts");
      return openFreeSwitchCarrier({
        ...{ name, settings, clock, logger, speech },
        ledger: place.ledger,
        surroundings: callSurroundings(store, place),
      });
    }
  }
}

// The server as a carrier of calls sees it.

function callSurroundings(store: Store, { tenantId, listNames }: CarrierSuccession): CallSurroundings {
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
