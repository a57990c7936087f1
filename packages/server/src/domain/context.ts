// The context of an operation's transaction: the caller, the time, and the operator's settings.

import type { Transaction } from "../store/store.ts";
import type { RecipientDigest } from "./contacts.ts";
import type { CallbackReach, ConsentPolicy, DirectoryCredential, PriceList, StopCoverage } from "./policies.ts";
import type { RateLimit } from "./rate-limits.ts";

/** The authenticated caller: a tenant, or one of its merchants. */
export interface Caller {
  readonly apiKey: string;
  readonly tenantId: number;
  /** IANA time zone in which the tenant's months begin. */
  readonly timezone: string;
  /** The only merchant that the credential may act for; null if it may act for all of the tenant's. */
  readonly merchantId: string | null;
  /** Name of the API key. @default null */
  readonly keyName?: string | null;
  /** The tenant's own rate limit, which replaces the server's. */
  readonly rateLimit?: RateLimit;
}

/** Settings chosen by the operator, or injected by tests. */
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
  /** Form of passwords in the FreeSWITCH directory: a digest or, if phones use another realm, the password itself. */
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
  /** Project label of the objects that the request creates; development only. @default none */
  readonly project?: string | null;
}
