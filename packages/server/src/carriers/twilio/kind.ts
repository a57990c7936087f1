import type { CarrierKind } from "../kind.ts";
import {
  completeTwilioSettings,
  findTwilioFaults,
  type TwilioSettings,
  toTextColumns,
  twilioSchema,
} from "./settings.ts";

/** Texts and calls over Twilio's API. */
export const twilioKind: CarrierKind<TwilioSettings> = {
  name: "twilio",
  title: "a Twilio account",
  channels: ["SMS", "VOICE"],
  example: {
    ...{ kind: "twilio", accountSid: "AC0123456789abcdef0123456789abcdef", authToken: "…" },
    from: "+12025550199",
  },
  schema: twilioSchema,
  secrets: ["authToken"],
  traits: { handsOver: true, tellsOnlyFailures: false, speaksText: true, namesEventsUrl: true },
  findFaults: findTwilioFaults,
  complete: completeTwilioSettings,
  toTextColumns,
  receivesEvents: () => true,
  hasUrlPerAccount: true,
  async open(settings, surroundings) {
    const { openTwilioCarrier } = await import("./open-twilio-carrier.ts");
    return openTwilioCarrier(settings, surroundings);
  },
};
