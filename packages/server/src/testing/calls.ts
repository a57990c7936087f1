// For tests of calls in which no server runs: what the operator decides, and what is asked for.

import { createIds } from "../platform/ids.ts";
import { defaultPrices } from "../rules/prices.ts";
import type { CallRequest } from "../steps/call-acceptance.ts";
import type { OperationSettings } from "../steps/operation.ts";

/** Those of a server that was told nothing, but for the change. */
export function testSettings(change: Partial<OperationSettings> = {}): OperationSettings {
  return {
    consentPolicy: "strict",
    prices: defaultPrices,
    callbackReach: "public",
    newId: createIds(),
    directoryCredential: "a1-hash",
    largestUpgradeCents: 10_000_000,
    openSecret: () => "",
    ...change,
  };
}

/** A code that the merchant `shop` has spoken at any time of day, but for the change. */
export function testTerms(change: Partial<CallRequest["terms"]> = {}): CallRequest["terms"] {
  return {
    merchantId: "shop",
    platformAccountId: null,
    tenantLabel: "1",
    sourceSystem: null,
    useCase: "OTP",
    campaignId: null,
    campaignName: null,
    messageType: "OTP",
    messageText: "Your code is 1234.",
    language: "en-US",
    voiceProfile: "default",
    priority: "NORMAL",
    callbackUrl: null,
    isRecorded: 0,
    ringSeconds: 30,
    customerTimezone: null,
    ...change,
  };
}
