import type { Migration } from "../dialect.ts";

/** Tells the pepper of a data folder from another one: a database on a server has the check of its secret key instead. */
export const pepperCheck: Migration = {
  version: 46,
  name: "pepper-check",
  statements: ({ text }) => [`ALTER TABLE lineage ADD COLUMN pepper_check ${text}`],
};
