// The database's record of its own backups and restorations, and a check of its pepper: the single row of `lineage`. A backup
// contains the row as of its time, so a restored database does not list later backups.

import { codeOf } from "../platform/postgres/failures.ts";
import { allEnded } from "./batching.ts";
import { batchStatement, type EngineTexts, perEngine, rowOf } from "./statement.ts";
import { findValue, type Store, StoreUnavailable, type Transaction } from "./store.ts";

/**
 * Returns the history, which identifies the database and its last restoration. Data recorded under another history does
 * not belong to it. A database that was dropped and created again under the same name has another history, too.
 */
export async function findHistory(tx: Transaction): Promise<string> {
  const row = await tx.get<{ madeAt: number; history: string | null }>(
    `SELECT MIN(applied_at) AS "madeAt", (SELECT history FROM lineage WHERE lineage_id = 1) AS history FROM migrations`,
  );
  return `${row?.madeAt} ${row?.history ?? ""}`;
}

/** Starts another history, whose name must be unique. */
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

/** Longer than any backup takes. If a backup is dated this far in the future, the clock was ahead when it was noted. */
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

/** Finds the check value of the pepper that credentials are hashed with; undefined before it is noted. */
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
 * Shows whether the database went back in time: whether it has the latest submissions to carriers, and whether
 * PostgreSQL is still on its timeline (a promoted standby, or a server recovered to an earlier time, is on a new one).
 */
export interface Standing {
  /** Renewed by each restoration; null before the first. */
  readonly history: string | null;
  /** The timeline that instances agreed on; null before they agree, and for an engine without timelines. */
  readonly agreed: string | null;
  /** The timeline that the database is on; equals `agreed` if the database refuses to show it. */
  readonly current: string | null;
  /** Whether the database has the attempts that were last submitted to carriers. */
  readonly isKnown: boolean;
}

/** PostgreSQL's timeline: the first eight digits of the name of its current WAL file. */
const currentTimeline = { sqlite: "NULL", postgres: "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)" };
const timelineStatement = perEngine(currentTimeline, (timeline) => `SELECT ${timeline} AS "current"`);

interface StandingRow extends Omit<Standing, "isKnown"> {
  readonly attempts: number | null;
  readonly state: string | null;
}

// subqueries instead of joins: for a join, PostgreSQL may choose a plan that reads all messages to find a few
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
    kind: "early-reads" as const,
    sql: (wanted: string) => `
      SELECT w.ordinal, l.history, l.timeline AS agreed, ${current.postgres} AS "current", ${left}
        FROM ${wanted} LEFT JOIN lineage l ON l.lineage_id = 1`,
  },
});
export const standingStatement = batchStatement(standingParts({ ...currentTimeline, sqlite: "l.timeline" }));
export const untoldStandingStatement = batchStatement(standingParts({ sqlite: "l.timeline", postgres: "l.timeline" }));

/**
 * PostgreSQL's error codes for a function that is missing, forbidden to this role, or unsupported, as on some managed
 * servers.
 */
const UNTOLD = new Set(["42883", "42501", "0A000"]);

/** Returns the error code with which the database refuses to show its timeline; undefined if it shows it or has none. */
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

/** Asks the database for its timeline, if its engine has one. Rejects if the database refuses. */
export async function askTimeline(tx: Transaction): Promise<void> {
  await tx.get(timelineStatement);
}

/** An attempt to submit a message. */
interface Attempt {
  readonly messageId: string;
  /** From 1. */
  readonly attempt: number;
}

/** Used if no attempt has left yet. Every database counts as having it. */
const nothing: Attempt = { messageId: "", attempt: 0 };

interface StandingOptions {
  /** The attempts that were submitted last. */
  readonly latest: readonly Attempt[];
  /** Whether the database shows its timeline. If not, it is assumed to be on the agreed one. */
  readonly tellsTimeline: boolean;
}

/** Finds out whether the database went back in time: see `Standing`. */
export async function findStanding(tx: Transaction, { latest, tellsTimeline }: StandingOptions): Promise<Standing> {
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

/** Returns whether an attempt has left. Leasing counts an attempt; its message stays `submitting` until the attempt leaves. */
function hasLeft(attempts: number, state: string | null, attempt: number): boolean {
  return attempts > attempt || (attempts === attempt && state !== "submitting");
}

/** Locks, until this transaction ends, the row that `findStanding` reads. */
export async function lockStanding(tx: Transaction): Promise<void> {
  await tx.run(
    "INSERT INTO lineage (lineage_id) VALUES (1) ON CONFLICT (lineage_id) DO UPDATE SET lineage_id = excluded.lineage_id",
  );
}

/** Records the timeline that instances agree on. */
export async function agreeOnTimeline(tx: Transaction, timeline: string): Promise<void> {
  await tx.run(
    `INSERT INTO lineage (lineage_id, timeline) VALUES (1, $1)
     ON CONFLICT (lineage_id) DO UPDATE SET timeline = excluded.timeline, next_timeline = NULL, next_timeline_at = NULL`,
    timeline,
  );
}

/**
 * Records that instances have been examining a timeline since `now`, unless an earlier time is recorded. Returns the
 * recorded time.
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

/** Makes every instance reload the carriers and their tenants before it submits another message. */
export async function noteChange(tx: Transaction): Promise<void> {
  await tx.run(
    `INSERT INTO lineage (lineage_id, carrier_changes) VALUES (1, 1)
     ON CONFLICT (lineage_id) DO UPDATE SET carrier_changes = lineage.carrier_changes + 1`,
  );
}
