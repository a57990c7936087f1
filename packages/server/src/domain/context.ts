// The context of an operation's transaction: who asks, when, and what the operator has set.

import type { Transaction } from "../store/store.ts";
import type { RecipientDigest } from "./contacts.ts";
import type { CallbackReach, ConsentPolicy, DirectoryCredential, PriceList, StopCoverage } from "./policies.ts";
import type { RateLimit } from "./rate-limits.ts";

/** The caller: a tenant, or one of its merchants. */
export interface Caller {
  readonly apiKey: string;
  readonly tenantId: number;
  /** IANA name; months begin in it. */
  readonly timezone: string;
  /** The only merchant the credential may act for, or null. */
  readonly merchantId: string | null;
  /** Name of its key. @default null */
  readonly keyName?: string | null;
  /** The tenant's own rate limit, which replaces the server's. */
  readonly rateLimit?: RateLimit;
}

/** Settings that the operator decides or tests inject. */
export interface OperationSettings {
  readonly consentPolicy: ConsentPolicy;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  readonly digestRecipient: RecipientDigest;
  readonly callbackReach: CallbackReach;
  readonly prices: PriceList;
  /** The most that one upgrade may cost, in cents. */
  readonly largestUpgradeCents: number;
  /** Makes a new id, such as `msg_01J…`, that sorts by time. */
  readonly newId: (prefix: "msg" | "pay", now: number) => string;
  /** The form of a user's password in the FreeSWITCH directory: a digest or, for realms that need it, in clear. */
  readonly directoryCredential: DirectoryCredential;
  /** Opens a sealed secret that is bound to `binding`. Throws without the right key. */
  readonly openSecret: (sealed: string, binding: string) => string;
}

export interface OperationContext {
  readonly tx: Transaction;
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly settings: OperationSettings;
  /** The label of what the request creates; in development alone. @default none */
  readonly project?: string | null;
}
