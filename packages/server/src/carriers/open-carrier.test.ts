import { expect, it } from "vitest";
import { createVirtualClock } from "../development/clocks.ts";
import type { Store } from "../store/store.ts";
import type { CarrierSettings } from "./kind.ts";
import { findKind } from "./kinds.ts";
import { openCarrier } from "./open-carrier.ts";
import { carrierSpeech } from "./speech/carrier-speech.ts";

const secret = `whsec_${Buffer.alloc(32).toString("base64")}`;
const documents: readonly CarrierSettings[] = [
  { kind: "http", url: "https://adapter.acme.example", secret } as CarrierSettings,
  { kind: "twilio", accountSid: `AC${"0".repeat(32)}`, authToken: "t", from: "ACME" } as CarrierSettings,
];

it.each(documents)(
  "opens a carrier with the events URL of its row, and speech if it speaks text: $kind",
  async (given) => {
    const kind = findKind(given.kind);
    const settings = kind?.complete(given) ?? given;
    const carrier = await openCarrier(
      settings,
      { name: "carrier-1", tenantId: 1, ledger: "1 VOICE", eventsId: "3f", listNames: () => [] },
      {
        ...{ clock: createVirtualClock(0), pepper: "p", speech: undefined, publicUrl: "https://msg.acme.example" },
        ...{ logger: { warn() {}, error() {} }, store: {} as Store },
      },
    );
    expect(carrier.speech).toBe(kind?.traits.speaksText ? carrierSpeech : undefined);
    expect(carrier.receive).toBeDefined();
    await carrier.stop();
  },
);
