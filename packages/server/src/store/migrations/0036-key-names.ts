import type { Migration } from "../dialect.ts";

/** What a key is called by those who manage it: null for one without a name. */
export const keyNames: Migration = {
  version: 36,
  name: "key-names",
  statements: ({ text }) => [`ALTER TABLE credentials ADD COLUMN name ${text}`],
};
