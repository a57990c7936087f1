// Policies that an operator sets for all tenants, and operations follow.

/** `strict` is the whole table below; under `opt_out_only` a missing record refuses nothing. */
export type ConsentPolicy = "strict" | "opt_out_only";

/** The channels that a STOP by text ends. */
export type StopCoverage = "sms" | "sms,voice";

/** The operator's cost of each unit, in micro-USD, and the markup for the merchant. */
export interface PriceList {
  smsSegmentMicros: number;
  emailMicros: number;
  callMinuteMicros: number;
  ttsCharacterMicros: number;
  markupPercent: number;
}

/**
 * Hosts that callbacks may go to: public ones by https; in development this machine too, also by http; if the operator allows
 * it, any by either.
 */
export type CallbackReach = "public" | "loopback" | "private";

/** Whether an SMS of a merchant whose registration is not complete is sent, or filtered as carriers do. */
export type RegistrationPolicy = "open" | "strict";

export type DirectoryCredential = "a1-hash" | "password";
