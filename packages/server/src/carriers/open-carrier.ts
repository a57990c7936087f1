// Opens a carrier of any kind. Its libraries are installed by those who have such a carrier, and loaded with the first.

import { listCallsUnderWay } from "../domain/calls/rows.ts";
import type { CarrierSettings } from "../domain/carriers/rules.ts";
import { notePresence } from "../domain/provisioning/presence.ts";
import { findProvisioning, listSipUsers } from "../domain/provisioning/rows.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logging.ts";
import type { Store } from "../store/store.ts";
import type { CallSurroundings } from "./freeswitch/phone-watch.ts";
import type { CarrierSuccession } from "./installed-carriers.ts";
import type { Provider } from "./provider.ts";
import type { SpeechFiles } from "./speech/engine.ts";

/** Libraries that are not installed with the server. The versions are those of package.json. */
const needs = {
  smtp: { what: "mail over SMTP", packages: ["nodemailer@^10.6.0", "html-to-text@^10.0.1"] },
  smpp: { what: "texts over SMPP", packages: ["smpp@^0.5.1"] },
  bounces: { what: "a listener for bounces", packages: ["postal-mime@^4.0.0"] },
} as const;

/** Thrown if a library is not installed. */
export class LibraryMissing extends Error {
  override readonly name = "LibraryMissing";

  constructor(need: keyof typeof needs, options?: ErrorOptions) {
    const { what, packages } = needs[need];
    super(`${what} needs a library that is not installed: npm install ${packages.join(" ")}`, options);
  }
}

/** Loads a module that imports libraries. Throws `LibraryMissing` if one is not installed. */
export async function loadLibraries<T>(need: keyof typeof needs, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    throw isMissing ? new LibraryMissing(need, { cause: error }) : error;
  }
}

export interface CarrierSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Store;
  readonly place: CarrierSuccession;
  /** Engine of calls; undefined if there is none. */
  readonly speech: SpeechFiles | undefined;
  /** URL under which people reach the server; undefined where the operator has not set one. */
  readonly publicUrl: string | undefined;
  /** Keys the tokens by which bounces and people who unsubscribe name a message. */
  readonly pepper: string;
}

/** Opens a carrier. Throws `LibraryMissing` if a library is not installed, or an error if the server lacks a setting. */
export async function openCarrier(
  name: string,
  settings: CarrierSettings,
  surroundings: CarrierSurroundings,
): Promise<Provider> {
  switch (settings.kind) {
    case "smtp": {
      const { openSmtpCarrier } = await loadLibraries("smtp", () => import("./smtp/smtp-carrier.ts"));
      return openSmtpCarrier(name, settings, surroundings);
    }
    case "smpp":
      return loadLibraries("smpp", async () => {
        const { openSmppCarrier } = await import("./smpp/open-smpp-carrier.ts");
        return openSmppCarrier({ name, settings, ...surroundings });
      });
    case "freeswitch": {
      const { clock, logger, store, place, speech } = surroundings;
      if (speech === undefined) throw new Error("msgd serve needs --speech-folder to place calls");
      const { openFreeSwitchCarrier } = await import("./freeswitch/open-freeswitch-carrier.ts");
      return openFreeSwitchCarrier({
        ...{ name, settings, clock, logger, speech },
        ledger: place.ledger,
        surroundings: callSurroundings(store, place),
      });
    }
  }
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
