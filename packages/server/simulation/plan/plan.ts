// What a world is made of. A plan is drawn from a seed, and is data: a failing one is made smaller, and kept in a file.

import type { Site } from "../../src/platform/probes.ts";
import type { CallFault } from "./faults.ts";

export interface Plan {
  /** What all that is not planned is drawn from: how long things take, and which of them go wrong. */
  readonly seed: number;
  /** What clocks read when the world begins, in epoch milliseconds. */
  readonly startsAt: number;
  /**
   * `file`: one instance that has its database to itself, on a disk that may break or lose its power. `server`: instances
   * that share one, look for what others left, and may not learn what became of a commit.
   */
  readonly engine: "file" | "server" | "postgres";
  /** By how much each instance's clock is wrong, in milliseconds: as many as there are instances. */
  readonly skewsMs: readonly number[];
  /** How often instances look for what others left, in milliseconds. */
  readonly looksEveryMs: number;
  readonly carriers: Readonly<Record<"SMS" | "EMAIL" | "VOICE", CarrierPlan>>;
  /** How likely each fault is at each call; those that are left out do not happen. */
  readonly rates: Partial<Record<CallFault, number>>;
  /** Places in the server's own code at which it does what it seldom does. */
  readonly sites: readonly Site[];
  /** What happens when, in the order of time. */
  readonly acts: readonly Act[];
  /** When nothing more goes wrong, in milliseconds of the world. */
  readonly calmFromMs: number;
  /** Whether old rows are removed, which takes a world of some days as many steps as all else. */
  readonly prunes: boolean;
  /** For how long nobody serves from then on, in milliseconds: 0 for as long as instances take to start. */
  readonly awayMs: number;
  /** What is not well again by then, for ever. */
  readonly unhealed: readonly Outage[];
}

/**
 * `open` takes all at once, can be asked and keeps what it took; `narrow` can have so many at once; `mute` is told when a
 * message leaves, and cannot be asked.
 */
export interface CarrierPlan {
  readonly kind: "open" | "narrow" | "mute";
  readonly capacity: number;
  /** Whether it reports again what nobody has heard as soon as somebody listens. @default false */
  readonly isEager?: boolean;
}

export type Act = { readonly atMs: number } & (
  | ({ readonly kind: "send" } & Send)
  | ({ readonly kind: "calls" } & Calls)
  | {
      readonly kind: "consent";
      readonly merchant: number;
      readonly channel: Channel;
      readonly to: number;
      readonly status: "OPT_IN" | "OPT_OUT";
    }
  | {
      readonly kind: "upgrade";
      readonly merchant: number;
      readonly channel: Channel;
      readonly units: number;
      readonly method: string;
    }
  | { readonly kind: "limits"; readonly merchant: number; readonly limit: number; readonly active: boolean }
  | { readonly kind: "revoke"; readonly merchant: number }
  /** Somebody of another tenant repeats the merchant's last request, with its Idempotency-Key and a credential of their own. */
  | { readonly kind: "trespass"; readonly of: number }
  | { readonly kind: "kill" | "replace"; readonly instance: number; readonly forMs: number }
  /** A newer build takes an instance's place. */
  | { readonly kind: "newer build"; readonly instance: number; readonly forMs: number }
  /** Somebody reads a table, in a transaction that lasts. */
  | { readonly kind: "long read"; readonly table: "messages" | "merchants"; readonly forMs: number }
  | { readonly kind: "pause"; readonly instance: number; readonly forMs: number }
  /** A clock is set: it is wrong by so much from then on. */
  | { readonly kind: "jump"; readonly instance: number; readonly toMs: number }
  | { readonly kind: "full disk" | "power cut"; readonly forMs: number }
  | { readonly kind: "backup" }
  | { readonly kind: "restore"; readonly isTold: boolean; readonly forMs: number }
  | { readonly kind: "outage"; readonly of: Outage; readonly forMs: number }
  /** An operator cancels what waits of the tenant of a merchant. */
  | { readonly kind: "cancel"; readonly of: number }
  /** An operator takes a carrier away, and what waits for it waits on, or is discarded; then it is set again. */
  | { readonly kind: "removal"; readonly of: Channel; readonly forMs: number; readonly discards: boolean }
);

/** What may be down. */
export type Outage = Channel | "engine" | "receiver 0" | "receiver 1";

export const CHANNELS = ["SMS", "EMAIL", "VOICE"] as const;

export type Channel = (typeof CHANNELS)[number];

/** A message of a merchant of the population. */
export interface Send {
  readonly merchant: number;
  readonly channel: "SMS" | "EMAIL";
  /** Which of the recipients. */
  readonly to: number;
  readonly type: "OTP" | "TRANSACTIONAL" | "MARKETING";
  readonly segments: number;
  /** Whether its caller asks twice at once. @default false */
  readonly isHasty?: boolean;
}

/** A batch of calls. */
export interface Calls {
  readonly merchant: number;
  readonly to: readonly number[];
  readonly useCase: "OTP" | "TRANSACTIONAL" | "MARKETING";
  /** Which of the texts is spoken. */
  readonly text: number;
  readonly receiver: number | undefined;
}

/** Merchants of the population; the first two are of one tenant. */
export const MERCHANTS = 3;
export const RECIPIENTS = 6;
export const TEXTS = 3;

/** What a world's database is in. */
export type Engine = "sqlite" | "postgres";
