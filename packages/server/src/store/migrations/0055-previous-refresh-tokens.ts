import type { Migration } from "../dialect.ts";

/** The refresh token before a session's own: for a time it is answered with the same successor. */
export const previousRefreshTokens: Migration = {
  version: 55,
  name: "previous-refresh-tokens",
  statements: ({ text }) => [`ALTER TABLE sessions ADD COLUMN previous_hash ${text}`],
};
