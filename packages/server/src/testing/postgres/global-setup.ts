// Vitest's global setup: starts PostgreSQL and creates the template database before the first suite that needs them.

import type { TestProject } from "vitest/node";
import { createSource, type DatabaseSource, dropSource } from "./databases.ts";
import { startPostgres } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The databases of this run; undefined if the suites run on SQLite. */
    readonly postgres?: DatabaseSource;
  }
}

/** Uses the PostgreSQL of TEST_DATABASE_URL, or starts one. Returns the function that cleans up after the run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  if (given === undefined || given === "") {
    const server = await startPostgres();
    try {
      project.provide("postgres", await createSource(server.url));
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server.stop;
  }
  const source = await createSource(checkUrl(given));
  project.provide("postgres", source);
  return () => dropSource(source);
}

function checkUrl(text: string): string {
  if (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)) return text;
  throw new Error(
    "TEST_DATABASE_URL is not a URL of PostgreSQL: expected postgres://role:password@host:5432/database, with a role that may create databases; without TEST_DATABASE_URL the tests start their own PostgreSQL",
  );
}
