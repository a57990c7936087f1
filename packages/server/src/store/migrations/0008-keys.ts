import type { Migration } from "./migrate.ts";

export const keys: Migration = { version: 8, name: "keys", statements: () => [] };
