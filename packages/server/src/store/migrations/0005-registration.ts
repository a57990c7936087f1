import type { Migration } from "./migrate.ts";

export const registration: Migration = { version: 5, name: "registration", statements: () => [] };
