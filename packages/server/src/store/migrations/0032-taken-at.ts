import type { Migration } from "../dialect.ts";

/** When a carrier took a message: between its acceptance and its end. */
export const takenAt: Migration = {
  version: 32,
  name: "taken-at",
  statements: ({ int64 }) => [`ALTER TABLE messages ADD COLUMN taken_at ${int64}`],
};
