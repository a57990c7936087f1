import type { CarrierKind } from "../kind.ts";
import {
  completeFreeSwitchSettings,
  type FreeSwitchSettings,
  findFreeSwitchFaults,
  freeSwitchSchema,
} from "./settings.ts";

/** Calls through FreeSWITCH, over its event socket. */
export const freeSwitchKind: CarrierKind<FreeSwitchSettings> = {
  name: "freeswitch",
  title: "a FreeSWITCH that places calls",
  channels: ["VOICE"],
  example: {
    ...{ kind: "freeswitch", host: "127.0.0.1", password: "…", gateway: "carrier" },
    callerId: "+12025550199",
  },
  schema: freeSwitchSchema,
  secrets: ["password"],
  traits: { handsOver: true, tellsOnlyFailures: false, speaksText: false },
  findFaults: (document, { isForAllTenants }) => findFreeSwitchFaults(document, isForAllTenants),
  complete: completeFreeSwitchSettings,
  async open(settings, { speech, calls, ...surroundings }) {
    if (speech === undefined) throw new Error("msgd serve needs --speech-folder to place calls");
    const { openFreeSwitchCarrier } = await import("./open-freeswitch-carrier.ts");
    return openFreeSwitchCarrier({ ...surroundings, settings, speech, surroundings: calls });
  },
};
