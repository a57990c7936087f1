// The ledger in a database on a server: what a file gives in place of the tables there. Counts are exact, events are told
// still, and the order of the last submissions is kept.

import { openStatements } from "./statements.ts";

export const ledgerStandIns = {
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
} as const;

/** Makes the ledger's tables on a database that instances share. */
export async function prepareLedger({ url }: { readonly url: string }): Promise<void> {
  await (await openStatements(url)).close();
}
