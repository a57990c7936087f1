import type { Migration } from "./migrate.ts";

export const billing: Migration = { version: 7, name: "billing", statements: () => [] };
