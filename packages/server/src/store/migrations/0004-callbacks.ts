import type { Migration } from "./migrate.ts";

export const callbacks: Migration = { version: 4, name: "callbacks", statements: () => [] };
