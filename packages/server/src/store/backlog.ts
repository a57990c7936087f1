// How much work waits, for the operator to watch. Each count reads an index, row by row, and stops at a maximum: past
// it an operator has to act anyway, and counting a million entries would delay every request. All six counts together
// take 4 ms at the maximum (Node 20, Xeon at 2.5 GHz, busy), and 0.2 ms at zero.

import { countAccepted, findNextAccepted } from "./accepted-queue.ts";
import type { QueueLook } from "./queue-floors.ts";
import type { Transaction } from "./store.ts";
import { countUnmatchedTexts } from "./text-lines.ts";
import { countUnknown } from "./unknown-messages.ts";

/** Stands for this many or more. */
export const MOST_COUNTED = 10_000;

/** No count is larger than `MOST_COUNTED`. */
export interface Backlog {
  /** Messages that are due to be submitted or asked about. */
  readonly waiting: number;
  /** When the oldest of them fell due, in epoch milliseconds. */
  readonly oldestDueAt: number | null;
  /** Messages that a provider may or may not have taken. */
  readonly inDoubt: number;
  /** Messages that ended UNKNOWN. */
  readonly unknown: number;
  /** Steps that are due. */
  readonly jobsDue: number;
  /** Callbacks that no receiver has taken yet. */
  readonly callbacksPending: number;
  /** Texts that came to numbers that are nobody's here. */
  readonly unmatchedTexts: number;
  /** The carriers that tenants were given, by kind. */
  readonly carriers: readonly CarrierBacklog[];
}

export interface CarrierBacklog {
  readonly kind: "smtp" | "smpp";
  readonly up: number;
  /** Those that could not be reached when that was last tried. */
  readonly down: number;
  /** Messages in their lines. */
  readonly waiting: number;
}

export async function readBacklog(tx: Transaction, now: number, look: QueueLook): Promise<Backlog> {
  const queued = await countAccepted(tx, { now, most: MOST_COUNTED, look });
  const oldestQueued = await findNextAccepted(tx, { now, look });
  await look.raise(tx);
  const due = await count(
    tx,
    `SELECT COUNT(*) AS count FROM
      (SELECT 1 FROM dispatches WHERE state = 'reconciling' AND due_at <= $2
       UNION ALL SELECT 1 FROM dispatches WHERE state <> 'reconciling' AND due_at <= $2 LIMIT $1) AS counted`,
    now,
  );
  const oldestDue = await tx.get<{ at: number | null }>(
    `SELECT MIN(at) AS at FROM
      (SELECT MIN(due_at) AS at FROM dispatches WHERE state = 'reconciling' AND due_at <= $1
       UNION ALL SELECT MIN(due_at) AS at FROM dispatches WHERE state <> 'reconciling' AND due_at <= $1) AS oldest`,
    now,
  );
  const moments = [oldestQueued, oldestDue?.at].filter((at) => typeof at === "number" && at <= now) as number[];
  return {
    waiting: Math.min(queued + due, MOST_COUNTED),
    oldestDueAt: moments.length === 0 ? null : Math.min(...moments),
    inDoubt: await count(
      tx,
      "SELECT COUNT(*) AS count FROM (SELECT 1 FROM dispatches WHERE state = 'reconciling' LIMIT $1) AS counted",
    ),
    unknown: await countUnknown(tx, MOST_COUNTED),
    jobsDue: await count(
      tx,
      "SELECT COUNT(*) AS count FROM (SELECT 1 FROM jobs WHERE due_at <= $2 LIMIT $1) AS counted",
      now,
    ),
    callbacksPending: await count(
      tx,
      "SELECT COUNT(*) AS count FROM (SELECT 1 FROM callbacks WHERE status = 'PENDING' LIMIT $1) AS counted",
    ),
    unmatchedTexts: await countUnmatchedTexts(tx, MOST_COUNTED),
    carriers: [await countCarriers(tx, "smtp"), await countCarriers(tx, "smpp")],
  };
}

async function countCarriers(tx: Transaction, kind: CarrierBacklog["kind"]): Promise<CarrierBacklog> {
  const row = await tx.get<{ up: number; down: number; waiting: number }>(
    `SELECT COUNT(*) - COUNT(down_since) AS up, COUNT(down_since) AS down,
            (SELECT COUNT(*) FROM
              (SELECT 1 FROM dispatches WHERE state = 'waiting' AND carrier >= $2 AND carrier < $3 LIMIT $4) AS counted) AS waiting
       FROM carriers WHERE removed_at IS NULL AND kind = $1`,
    kind,
    // names begin with their kind
    `${kind}-`,
    `${kind}.`,
    MOST_COUNTED,
  );
  return { kind, up: row?.up ?? 0, down: row?.down ?? 0, waiting: row?.waiting ?? 0 };
}

async function count(tx: Transaction, sql: string, ...values: number[]): Promise<number> {
  return (await tx.get<{ count: number }>(sql, MOST_COUNTED, ...values))?.count ?? 0;
}
