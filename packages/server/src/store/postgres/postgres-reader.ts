// The reader of a database on a server.

import { Connections, loadDriver } from "../../platform/postgres/connections.ts";
import { STATEMENT_MS } from "../../platform/postgres/limits.ts";
import type { Reader } from "../store.ts";
import { readMoment } from "./pooled-store.ts";

/** Longer than a statement may take, so that the server's own error comes first. */
const ANSWER_MS = STATEMENT_MS + 5_000;

/** The database at `url`, by one connection. */
export async function openPostgresReader(url: string): Promise<Reader> {
  const connections = new Connections(await loadDriver(), { url, most: 1, answerMs: ANSWER_MS, plansByIndex: true });
  return {
    read: (work) => readMoment(connections, work),
    close: () => connections.close(),
  };
}
