// Policies that an operator sets for all tenants.

/** `strict` applies the whole table of consent/rules.ts. Under `opt_out_only` a send without recorded consent is allowed. */
export type ConsentPolicy = "strict" | "opt_out_only";

/** The channels that a STOP by text opts out of. */
export type StopCoverage = "sms" | "sms,voice";

/** The operator's cost per unit, in micro-USD, and the markup added for merchants. */
export interface PriceList {
  smsSegmentMicros: number;
  emailMicros: number;
  callMinuteMicros: number;
  ttsCharacterMicros: number;
  markupPercent: number;
}

/**
 * Hosts that callbacks may be posted to. `public`: public hosts, by https. `loopback` (development): also this machine, by
 * https or http. `private` (if the operator allows it): any host, by https or http.
 */
export type CallbackReach = "public" | "loopback" | "private";

/** Whether an SMS of a merchant without complete registration is sent (`open`) or filtered as by carriers (`strict`). */
export type RegistrationPolicy = "open" | "strict";

export type DirectoryCredential = "a1-hash" | "password";
