// What the database knows of copies of itself, and of the pepper beside it, in its one row of `lineage`. A backup has the row
// as it was before: a database that was put back claims no later backup.

import { codeOf } from "../platform/postgres/failures.ts";
import { allEnded } from "./batching.ts";
import { batchStatement, type EngineTexts, perEngine, rowOf } from "./statement.ts";
import { findValue, type Store, StoreUnavailable, type Transaction } from "./store.ts";

/**
 * Identifies the database, and its last restoration: data of another history does not belong to it. A database that was
 * made anew, under the same name, has another history too.
 */
export async function findHistory(tx: Transaction): Promise<string> {
  const row = await tx.get<{ madeAt: number; history: string | null }>(
    `SELECT MIN(applied_at) AS "madeAt", (SELECT history FROM lineage WHERE lineage_id = 1) AS history FROM migrations`,
  );
  return `${row?.madeAt} ${row?.history ?? ""}`;
}

/** Begins another history, which must be unique. */
export async function renewHistory(tx: Transaction, history: string): Promise<void> {
  await tx.run(
    `INSERT INTO lineage (lineage_id, history) VALUES (1, $1)
     ON CONFLICT (lineage_id) DO UPDATE SET history = excluded.history`,
    history,
  );
}

/** Finds the moment of the last backup, in epoch milliseconds; undefined before the first. */
export function findLastBackup(tx: Transaction): Promise<number | undefined> {
  return findValue<number>(tx, `SELECT backed_up_at AS "at" FROM lineage WHERE lineage_id = 1`);
}

/** Longer than any backup takes: one noted this far in the future was noted under a clock that was ahead. */
const FAR_AHEAD_MS = 24 * 60 * 60_000;

/** Notes a backup as of `at`, unless a later one was noted. */
export async function noteBackup(tx: Transaction, at: number): Promise<void> {
  await tx.run(
    `INSERT INTO lineage (lineage_id, backed_up_at) VALUES (1, $1)
     ON CONFLICT (lineage_id) DO UPDATE SET backed_up_at = excluded.backed_up_at
       WHERE lineage.backed_up_at IS NULL OR lineage.backed_up_at < excluded.backed_up_at OR lineage.backed_up_at > $2`,
    at,
    at + FAR_AHEAD_MS,
  );
}

/** The check of the pepper that credentials were hashed with; undefined before one was noted. */
export function findPepperCheck(tx: Transaction): Promise<string | undefined> {
  return findValue<string>(tx, `SELECT pepper_check AS "pepperCheck" FROM lineage WHERE lineage_id = 1`);
}

export async function setPepperCheck(tx: Transaction, check: string): Promise<void> {
  await tx.run(
    `INSERT INTO lineage (lineage_id, pepper_check) VALUES (1, $1)
     ON CONFLICT (lineage_id) DO UPDATE SET pepper_check = excluded.pepper_check`,
    check,
  );
}

/**
 * Tells a transaction whether the database went back in time: whether it knows what was handed over last, and whether
 * PostgreSQL is still the same server, rather than a promoted standby or one recovered to an earlier time.
 */
export interface Standing {
  /** Renewed by each restoration; null before the first. */
  readonly history: string | null;
  /** The timeline that instances agreed on; null before they did, and for an engine without one. */
  readonly agreed: string | null;
  /** The timeline that the database is on; the agreed one if it does not show its own. */
  readonly current: string | null;
  /** Whether it knows of the attempts that left for their carriers. */
  readonly isKnown: boolean;
}

/** The first eight digits of the name of PostgreSQL's log file. */
const currentTimeline = { sqlite: "NULL", postgres: "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)" };
const timelineStatement = perEngine(currentTimeline, (timeline) => `SELECT ${timeline} AS "current"`);

interface StandingRow extends Omit<Standing, "isKnown"> {
  readonly attempts: number | null;
  readonly state: string | null;
}

// no joins: by some plans PostgreSQL would read all messages for a few of them
const left = `(SELECT m.attempts FROM messages m WHERE m.message_id = w.message_id) AS attempts,
             (SELECT d.state FROM dispatches d WHERE d.message_id = w.message_id) AS state`;
const standingParts = (current: EngineTexts) => ({
  params: { messageId: "text" as const },
  row: rowOf<StandingRow>(),
  one: perEngine(
    current,
    (timeline) => `
      SELECT l.history, l.timeline AS agreed, ${timeline} AS "current", ${left}
        FROM (SELECT $1 AS message_id) AS w LEFT JOIN lineage l ON l.lineage_id = 1`,
  ),
  batch: {
    kind: "looks" as const,
    sql: (wanted: string) => `
      SELECT w.ordinal, l.history, l.timeline AS agreed, ${current.postgres} AS "current", ${left}
        FROM ${wanted} LEFT JOIN lineage l ON l.lineage_id = 1`,
  },
});
export const standingStatement = batchStatement(standingParts({ ...currentTimeline, sqlite: "l.timeline" }));
export const untoldStandingStatement = batchStatement(standingParts({ sqlite: "l.timeline", postgres: "l.timeline" }));

/**
 * PostgreSQL's errors for a function that is missing, not for this role, or not supported, as on some managed servers.
 */
const UNTOLD = new Set(["42883", "42501", "0A000"]);

/** Finds out with which error the database refuses to show its timeline; undefined if it shows it, or has none. */
export async function findTimelineRefusal(store: Store): Promise<string | undefined> {
  try {
    await store.read(askTimeline);
    return undefined;
  } catch (error) {
    const code = codeOf(error instanceof StoreUnavailable ? error.cause : error);
    if (!UNTOLD.has(code)) throw error;
    return code;
  }
}

/** Asks the database for its timeline, if it has one; rejects if it refuses. */
export async function askTimeline(tx: Transaction): Promise<void> {
  await tx.get(timelineStatement);
}

/** An attempt at handing over a message. */
interface Attempt {
  readonly messageId: string;
  /** From 1. */
  readonly attempt: number;
}

/** Stands for what left if nothing did: every database knows it. */
const nothing: Attempt = { messageId: "", attempt: 0 };

interface StandingQuestion {
  /** The attempts that left last. */
  readonly latest: readonly Attempt[];
  /** Whether the database tells its timeline: without one, it is taken to be on the one agreed on. */
  readonly tellsTimeline: boolean;
}

/** Finds out where the database stands. */
export async function findStanding(tx: Transaction, { latest, tellsTimeline }: StandingQuestion): Promise<Standing> {
  const statement = tellsTimeline ? standingStatement : untoldStandingStatement;
  const left = latest.length === 0 ? [nothing] : latest;
  const found = await allEnded(
    left.map(async ({ messageId, attempt }) => {
      const row = await tx.get(statement({ messageId }));
      return { row, isKnown: hasLeft(row?.attempts ?? 0, row?.state ?? null, attempt) };
    }),
  );
  const { history = null, agreed = null, current = null } = found[0]?.row ?? {};
  return { history, agreed, current, isKnown: found.every(({ isKnown }) => isKnown) };
}

/** An attempt is counted when it is leased at the latest, and its message is `submitting` until it leaves. */
function hasLeft(attempts: number, state: string | null, attempt: number): boolean {
  return attempts > attempt || (attempts === attempt && state !== "submitting");
}

/** Makes transactions that would change what `findStanding` reads wait for this one. */
export async function lockStanding(tx: Transaction): Promise<void> {
  await tx.run(
    "INSERT INTO lineage (lineage_id) VALUES (1) ON CONFLICT (lineage_id) DO UPDATE SET lineage_id = excluded.lineage_id",
  );
}

/** Agrees on a timeline. */
export async function agreeOnTimeline(tx: Transaction, timeline: string): Promise<void> {
  await tx.run(
    `INSERT INTO lineage (lineage_id, timeline) VALUES (1, $1)
     ON CONFLICT (lineage_id) DO UPDATE SET timeline = excluded.timeline, next_timeline = NULL, next_timeline_at = NULL`,
    timeline,
  );
}

/**
 * Records that instances look at a timeline from `now` on, unless they do already. Returns the time since which they
 * do.
 */
export async function lookAtTimeline(tx: Transaction, timeline: string, now: number): Promise<number> {
  const row = await tx.get<{ since: number }>(
    `UPDATE lineage SET next_timeline = $1, next_timeline_at =
       CASE WHEN next_timeline = $1 AND next_timeline_at <= $2 THEN next_timeline_at ELSE $2 END
      WHERE lineage_id = 1 RETURNING next_timeline_at AS since`,
    timeline,
    now,
  );
  return row?.since ?? now;
}

/** Makes every instance read the carriers, and their tenants, before it gives a message to one. */
export async function noteChange(tx: Transaction): Promise<void> {
  await tx.run(
    `INSERT INTO lineage (lineage_id, carrier_changes) VALUES (1, 1)
     ON CONFLICT (lineage_id) DO UPDATE SET carrier_changes = lineage.carrier_changes + 1`,
  );
}
