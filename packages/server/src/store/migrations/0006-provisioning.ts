import type { Migration } from "./migrate.ts";

export const provisioning: Migration = { version: 6, name: "provisioning", statements: () => [] };
