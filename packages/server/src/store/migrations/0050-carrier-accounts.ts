import type { Migration } from "../dialect.ts";

/** The account of a carrier that calls messages by ids of its own, over whichever of its carriers it reports. */
export const carrierAccounts: Migration = {
  version: 50,
  name: "carrier-accounts",
  statements: ({ text }) => [
    // null of a kind that has none, and of a carrier that was set before, until a server opens it
    `ALTER TABLE carriers ADD COLUMN account ${text}`,
  ],
};
