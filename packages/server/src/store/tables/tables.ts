// The tables of the main database, for both engines, as a new database has them. Text compares by its bytes on PostgreSQL too:
// the database's own collation would order names differently, and may change under its indexes.

import type { Migration } from "../dialect.ts";
import { accountsTables } from "./accounts.ts";
import { billingTables } from "./billing.ts";
import { callsTables } from "./calls.ts";
import { messagesTables } from "./messages.ts";
import { registrationTables } from "./registration.ts";
import { upkeepTables } from "./upkeep.ts";

/** The first step. It is edited until it is released: then each change is a step of its own. */
export const tables: Migration = {
  version: 1,
  name: "tables",
  // a table refers only to earlier ones
  statements: (dialect) =>
    [accountsTables, billingTables, messagesTables, callsTables, registrationTables, upkeepTables].flatMap((group) =>
      group(dialect),
    ),
};
