// Reads that last for several turns of the event loop, each at one moment. They have connections of their own, so that
// clients that read slowly keep none from requests and dispatch, and are limited, as a moment keeps the server from
// cleaning up behind its writes.

import type { PoolClient } from "pg";
import { PAGE_ROWS, type Query, readLimit, type Snapshot } from "../store.ts";
import { PostgresConnection } from "./connection.ts";
import type { Connections } from "./connections.ts";
import { explainFailure } from "./failures.ts";

const BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";

/** Opens a moment for reads of several statements. */
export async function openSnapshot(connections: Connections): Promise<Snapshot> {
  const client = await connections.take();
  let isOpen = true;
  return {
    tx: new PostgresConnection(client, BEGIN),
    end() {
      if (!isOpen) return;
      isOpen = false;
      endMoment(connections, client);
    },
  };
}

/** The rows as of the first read, page by page; the next page is fetched while one is consumed. */
export async function* readPages<Row>(
  connections: Connections,
  query: Query<Row>,
): AsyncGenerator<Row[], void, undefined> {
  const client = await connections.take();
  try {
    const values = [...query.values, readLimit(query)];
    const begun = client.query(BEGIN);
    const declared = client.query({ text: `DECLARE pages NO SCROLL CURSOR FOR ${query.sql}`, values });
    let following = fetchPage<Row>(client);
    // each answer is awaited below; one that fails first must not end the process
    for (const answer of [begun, declared, following]) answer.catch(() => {});
    await begun;
    await declared;
    for (let page = await following; page.length === PAGE_ROWS; page = await following) {
      following = fetchPage<Row>(client);
      following.catch(() => {});
      yield page;
    }
    yield await following;
  } catch (error) {
    throw explainFailure(error);
  } finally {
    endMoment(connections, client);
  }
}

async function fetchPage<Row>(client: PoolClient): Promise<Row[]> {
  return (await client.query(`FETCH ${PAGE_ROWS} FROM pages`)).rows as Row[];
}

function endMoment(connections: Connections, client: PoolClient): void {
  client.query("ROLLBACK").then(
    () => connections.release(client, false),
    () => connections.release(client, true),
  );
}
