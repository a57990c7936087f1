import type { CarrierKind } from "../kind.ts";
import {
  completeTelnyxSettings,
  findTelnyxFaults,
  type TelnyxSettings,
  telnyxSchema,
  toTextColumns,
} from "./settings.ts";

/** Texts over Telnyx's API. */
export const telnyxKind: CarrierKind<TelnyxSettings> = {
  name: "telnyx",
  title: "a Telnyx account",
  channels: ["SMS"],
  example: { kind: "telnyx", apiKey: "…", publicKey: `${"A".repeat(43)}=`, from: "+12025550199" },
  schema: telnyxSchema,
  secrets: ["apiKey"],
  traits: { handsOver: true, tellsOnlyFailures: false, speaksText: false, namesEventsUrl: true },
  findFaults: findTelnyxFaults,
  complete: completeTelnyxSettings,
  toTextColumns,
  receivesEvents: () => true,
  hasUrlPerAccount: true,
  async open(settings, surroundings) {
    const { openTelnyxCarrier } = await import("./open-telnyx-carrier.ts");
    return openTelnyxCarrier(settings, surroundings);
  },
};
