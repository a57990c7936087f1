// The plan of a world, drawn from a seed. It is plain data, so that a failing plan can be shrunk and saved in a file.

import type { Site } from "../../src/platform/probes.ts";
import type { CallFault } from "./faults.ts";

export interface Plan {
  /** Seed of all random draws outside the plan, such as delays and which calls fail. */
  readonly seed: number;
  /** Reading of clocks when the world begins, in epoch milliseconds. */
  readonly startsAt: number;
  /**
   * `file`: one instance with a database on its own disk, which may break or lose power. `server`: instances share a
   * database, poll for work that another instance left, and may not learn the outcome of a commit. `postgres`: the same, on a
   * real PostgreSQL.
   */
  readonly engine: "file" | "server" | "postgres";
  /** Error of each instance's clock, in milliseconds: one entry for each instance. */
  readonly skewsMs: readonly number[];
  /** Interval at which instances poll for work that another instance left, in milliseconds. */
  readonly pollIntervalMs: number;
  readonly carriers: Readonly<Record<"SMS" | "EMAIL" | "VOICE", CarrierPlan>>;
  /** Probability of each fault at each call; omitted faults do not happen. */
  readonly rates: Partial<Record<CallFault, number>>;
  /** Sites in the server's code that take their rare branch. */
  readonly sites: readonly Site[];
  /** Acts in order of time. */
  readonly acts: readonly Act[];
  /** Time after which no more faults happen, in milliseconds of the world. */
  readonly calmFromMs: number;
  /** Whether old rows are pruned. In a world of several days, pruning takes as many steps as everything else. */
  readonly prunes: boolean;
  /** How long no instance runs after `calmFromMs`, in milliseconds; 0 if the instances keep running. */
  readonly awayMs: number;
  /** Outages that never end. */
  readonly unhealed: readonly Outage[];
}

/**
 * `open` takes any number of messages at a time, and can be asked about each. `narrow` can be asked too, but takes a limited
 * number at a time. `mute` has the same limit and cannot be asked, so the server records each message before it leaves.
 * So it does for an `adapter`, which can be asked, but proves only what it has on record: of a message that did not arrive,
 * it knows nothing.
 */
export interface CarrierPlan {
  readonly kind: "open" | "narrow" | "mute" | "adapter";
  readonly capacity: number;
  /** Whether the carrier repeats unacknowledged reports as soon as an instance connects. @default false */
  readonly isEager?: boolean;
  /**
   * Whether a `mute` carrier tells what became of a message that it accepted, by its own id. It then repeats no reports.
   * @default false
   */
  readonly isReviewed?: boolean;
}

/** Whether the server records each message before it leaves for the carrier. */
export function handsOver({ kind }: CarrierPlan): boolean {
  return kind === "mute" || kind === "adapter";
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
  /** A user of another tenant repeats the merchant's last request: the same Idempotency-Key, but their own credential. */
  | { readonly kind: "trespass"; readonly of: number }
  | { readonly kind: "kill" | "replace"; readonly instance: number; readonly forMs: number }
  /** A newer build replaces an instance. */
  | { readonly kind: "newer build"; readonly instance: number; readonly forMs: number }
  /** A long transaction that reads a table. */
  | { readonly kind: "long read"; readonly table: "messages" | "merchants"; readonly forMs: number }
  | { readonly kind: "pause"; readonly instance: number; readonly forMs: number }
  /** Sets an instance's clock, whose error is `toMs` from then on. */
  | { readonly kind: "jump"; readonly instance: number; readonly toMs: number }
  | { readonly kind: "full disk" | "power cut"; readonly forMs: number }
  | { readonly kind: "backup" }
  | { readonly kind: "restore"; readonly isTold: boolean; readonly forMs: number }
  | { readonly kind: "outage"; readonly of: Outage; readonly forMs: number }
  /** An operator cancels the queued messages of a merchant's tenant. */
  | { readonly kind: "cancel"; readonly of: number }
  /**
   * An operator removes a carrier, and sets it again after `forMs`. Its queued messages keep waiting, unless the removal
   * discards them.
   */
  | { readonly kind: "removal"; readonly of: Channel; readonly forMs: number; readonly discards: boolean }
);

/** Peers that may be down. */
export type Outage = Channel | "engine" | "receiver 0" | "receiver 1";

export const CHANNELS = ["SMS", "EMAIL", "VOICE"] as const;

export type Channel = (typeof CHANNELS)[number];

/** A message that a merchant sends. */
export interface Send {
  readonly merchant: number;
  readonly channel: "SMS" | "EMAIL";
  /** Index of the recipient. */
  readonly to: number;
  readonly type: "OTP" | "TRANSACTIONAL" | "MARKETING";
  readonly segments: number;
  /** Whether the caller sends the request twice in parallel. @default false */
  readonly isHasty?: boolean;
}

/** A batch of calls. */
export interface Calls {
  readonly merchant: number;
  readonly to: readonly number[];
  readonly useCase: "OTP" | "TRANSACTIONAL" | "MARKETING";
  /** Index of the text that is spoken. */
  readonly text: number;
  readonly receiver: number | undefined;
}

/** Number of merchants in each world. The first two belong to one tenant. */
export const MERCHANTS = 3;
export const RECIPIENTS = 6;
export const TEXTS = 3;

/** The database of a world. */
export type Engine = "sqlite" | "postgres";
