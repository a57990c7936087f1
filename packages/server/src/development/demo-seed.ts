// The demo data of a server in development, and of mocks: merchants with limits, and a few consents.

import { defaultMerchantId } from "../steps/message-acceptance.ts";
import type { Seed } from "./seed.ts";

export const demoMerchantId = "demo";
export const demoTenantName = "Demo";

const quota = {
  active: true,
  smsLimit: 1_000,
  smsCredits: 100,
  voiceMinutesLimit: 500,
  voiceMinutesCredits: 50,
  emailLimit: 10_000,
  emailCredits: 0,
} as const;

/** The simulated provider delivers to the first contact of each channel, and the last one has opted out. */
export const demoSeed: Seed = {
  merchants: [
    { merchantId: demoMerchantId, displayName: "Demo Bakery", ...quota },
    { merchantId: defaultMerchantId, displayName: demoTenantName, ...quota },
  ],
  consents: (
    [
      { channel: "SMS", contact: "+12025550100", status: "OPT_IN" },
      { channel: "VOICE", contact: "+12025550100", status: "OPT_IN" },
      { channel: "EMAIL", contact: "delivered@simulator.example", status: "OPT_IN" },
      { channel: "SMS", contact: "+13125550100", status: "OPT_OUT" },
    ] as const
  ).map((consent) => ({ merchantId: demoMerchantId, source: "demo", ...consent })),
};
