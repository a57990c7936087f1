// A read-only connection to a PostgreSQL database.

import { Connections, loadDriver } from "../../platform/postgres/connections.ts";
import { STATEMENT_MS } from "../../platform/postgres/limits.ts";
import type { Reader } from "../store.ts";
import { readMoment } from "./pooled-store.ts";

/** Longer than `statement_timeout`, so that the server's error arrives before this limit. */
const ANSWER_MS = STATEMENT_MS + 5_000;

/** Opens the database at `url` with one connection. */
export async function openPostgresReader(url: string): Promise<Reader> {
  const connections = new Connections(await loadDriver(), { url, most: 1, answerMs: ANSWER_MS, plansByIndex: true });
  return {
    read: (work) => readMoment(connections, work),
    close: () => connections.close(),
  };
}
