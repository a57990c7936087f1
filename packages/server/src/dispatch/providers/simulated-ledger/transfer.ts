// The ledger in another database: what each engine gives in place of the other's tables. Counts are exact, events are told
// still, and the order of the last submissions is kept.

import type { DatabaseLocation } from "../../../platform/database-location.ts";
import { SqliteLedger } from "./sqlite-ledger.ts";
import { openStatements } from "./statements.ts";

/** As many as the ledger in a file keeps in order. */
const NEWEST = 1_024;

/** By the engine that rows are taken from. */
export const ledgerStandIns = {
  sqlite: {
    // the submissions of which no order is known come before the others; `takes` is the last submission's, and read by none
    "simulated_carrier.submissions": {
      select: `SELECT s.reference, COALESCE(n.position, 0) AS position, s.attempts, s.sends, '1' AS takes,
                      s.answers_find, s.submission, s.submitted_at
                 FROM simulated_carrier.submissions s
                 LEFT JOIN (SELECT reference, MAX(submission) AS position FROM simulated_carrier.newest
                             GROUP BY reference) AS n ON n.reference = s.reference`,
      reads: ["simulated_carrier.newest"],
    },
    "simulated_carrier.events": {
      select: `SELECT reference, send, "index", due_at AS claimed_until, report FROM simulated_carrier.events`,
    },
  },
  postgres: {
    "simulated_carrier.submissions": {
      select: `SELECT reference, attempts, sends, answers_find, submission, submitted_at
                 FROM simulated_carrier.submissions`,
    },
    "simulated_carrier.newest": {
      select: `SELECT place % ${NEWEST} AS slot, place AS submission, reference
                 FROM (SELECT reference, row_number() OVER (ORDER BY position, reference) AS place
                         FROM (SELECT reference, position FROM simulated_carrier.submissions
                                ORDER BY position DESC, reference DESC LIMIT ${NEWEST}) AS last) AS placed`,
    },
    "simulated_carrier.events": {
      select: `SELECT reference, send, index, claimed_until AS due_at, report FROM simulated_carrier.events`,
    },
  },
} as const;

/** Makes the ledger's tables, or brings them up to date: in a file, or on a database that instances share. */
export async function prepareLedger(place: DatabaseLocation): Promise<void> {
  if ("url" in place) return (await openStatements(place.url)).close();
  await new SqliteLedger(place.file, { now: Date.now, noteDue: () => {} }).close();
}
