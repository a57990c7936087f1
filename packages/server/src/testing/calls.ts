// For tests of calls without a server: the operator's settings, and the terms of a request.

import type { SpeechEngine } from "../carriers/speech/engine.ts";
import type { SpeechEngines } from "../dispatch/calls/synthesizer.ts";
import { defaultPrices } from "../domain/billing/rules.ts";
import type { CallRequest } from "../domain/calls/accept.ts";
import { createRecipientDigest } from "../domain/contacts.ts";
import type { OperationSettings } from "../domain/context.ts";
import { createIds } from "../platform/ids.ts";

/** Returns the default settings of a server, with `change` applied. */
export function testSettings(change: Partial<OperationSettings> = {}): OperationSettings {
  return {
    consentPolicy: "strict",
    digestRecipient: createRecipientDigest("pepper"),
    prices: defaultPrices,
    callbackReach: "public",
    newId: createIds(),
    directoryCredential: "a1-hash",
    largestUpgradeCents: 10_000_000,
    openSecret: () => "",
    ...change,
  };
}

/** Returns the terms of a call that speaks a code for the merchant `shop` at any time of day, with `change` applied. */
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

/** Returns engines that use one engine for every tenant and name. */
export function onlyEngine(engine: SpeechEngine): SpeechEngines {
  return { of: async () => engine, named: () => engine };
}
