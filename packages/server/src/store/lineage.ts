// What the database knows of copies of itself, and of the pepper beside it, in its one row of `lineage`. A backup has the row
// as it was before: a database that was put back claims no later backup.

import { codeOf } from "../platform/postgres/failures.ts";
import { type EngineTexts, perEngine } from "./statement.ts";
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
 * Tells a claim whether the database went back in time: whether it knows the last hand-over, and whether PostgreSQL is
 * still the same server, rather than a promoted standby or one recovered to an earlier time.
 */
export interface Standing {
  /** Renewed by each restoration; null before the first. */
  readonly history: string | null;
  /** The timeline that instances agreed on; null before they did, and for an engine without one. */
  readonly agreed: string | null;
  /** The timeline that the database is on; the agreed one if it does not show its own. */
  readonly current: string | null;
  /** Whether it knows of the attempt that left for its carrier. */
  readonly isKnown: boolean;
}

/** The first eight digits of the name of PostgreSQL's log file. */
const currentTimeline = { sqlite: "NULL", postgres: "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)" };
const timelineStatement = perEngine(currentTimeline, (timeline) => `SELECT ${timeline} AS "current"`);
const toStandingStatement = (current: EngineTexts) =>
  perEngine(
    current,
    (timeline) => `
    SELECT l.history, l.timeline AS agreed, ${timeline} AS "current", m.attempts, d.state
      FROM (SELECT $1 AS message_id) AS last
      LEFT JOIN lineage l ON l.lineage_id = 1
      LEFT JOIN messages m ON m.message_id = last.message_id
      LEFT JOIN dispatches d ON d.message_id = last.message_id`,
  );
const standingStatement = toStandingStatement({ ...currentTimeline, sqlite: "l.timeline" });
const untoldStandingStatement = toStandingStatement({ sqlite: "l.timeline", postgres: "l.timeline" });

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

interface StandingQuestion {
  /** The attempt that left last; undefined if none did. */
  readonly last?: { readonly messageId: string; readonly attempt: number } | undefined;
  /** Whether the database shows its timeline: without one, it is taken to be on the agreed one. */
  readonly tellsTimeline: boolean;
}

/** Finds the database's standing. */
export async function findStanding(tx: Transaction, { last, tellsTimeline }: StandingQuestion): Promise<Standing> {
  const row = await tx.get<Omit<Standing, "isKnown"> & { attempts: number | null; state: string | null }>(
    tellsTimeline ? standingStatement : untoldStandingStatement,
    last?.messageId ?? "",
  );
  const { history = null, agreed = null, current = null, attempts, state } = row ?? {};
  return {
    history,
    agreed,
    current,
    isKnown: last === undefined || hasLeft(attempts ?? 0, state ?? null, last.attempt),
  };
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
