import type { Migration } from "./migrate.ts";

export const calls: Migration = { version: 3, name: "calls", statements: () => [] };
