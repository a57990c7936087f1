import type { Migration } from "../dialect.ts";

/** Makes the row that is written as a check as large as what requests write. */
export const writeCheckSize: Migration = {
  version: 12,
  name: "write-check-size",
  statements: () => ["ALTER TABLE write_checks ADD COLUMN filling TEXT"],
};
