// Reads that last for several turns of the event loop, each at one moment. They have connections of their own, so that
// clients that read slowly keep none from requests and dispatch, and are limited, as a moment keeps the server from
// cleaning up behind its writes.

import type { SessionPool } from "../../platform/postgres/connections.ts";
import { isConflict } from "../../platform/postgres/failures.ts";
import type { SessionPort } from "../../platform/postgres/sessions.ts";
import { textOf } from "../statement.ts";
import { PAGE_ROWS, type Query, readLimit, type Snapshot, type Work } from "../store.ts";
import { PostgresConnection } from "./connection.ts";
import { causeOf, explainFailure } from "./failures.ts";

const BEGIN_MOMENT = "BEGIN ISOLATION LEVEL REPEATABLE READ";
const BEGIN = `${BEGIN_MOMENT}, READ ONLY`;

/**
 * Runs `work`, which reads the moment of its first statement. It may ask for rows that nobody holds (SKIP LOCKED): if one
 * of them has changed since, it is run again.
 */
export async function readMoment<T>(connections: SessionPool, work: Work<T>): Promise<T> {
  for (;;) {
    const session = await take(connections);
    try {
      return await work(new PostgresConnection(session, { opening: BEGIN_MOMENT }));
    } catch (error) {
      if (!isConflict(causeOf(error))) throw error;
    } finally {
      // the caller may go on to take what was held
      await endMoment(connections, session);
    }
  }
}

/** Opens a moment for reads of several statements. */
export async function openSnapshot(connections: SessionPool): Promise<Snapshot> {
  const session = await take(connections);
  let isOpen = true;
  return {
    tx: new PostgresConnection(session, { opening: BEGIN }),
    end() {
      if (!isOpen) return;
      isOpen = false;
      void endMoment(connections, session);
    },
  };
}

/** The rows as of the first read, page by page; the next page is fetched while one is consumed. */
export async function* readPages<Row>(
  connections: SessionPool,
  query: Query<Row>,
): AsyncGenerator<Row[], void, undefined> {
  const session = await take(connections);
  try {
    const values = [...query.values, readLimit(query)];
    const begun = session.begin(BEGIN);
    const declared = session.ask(`DECLARE pages NO SCROLL CURSOR FOR ${textOf(query.sql, "postgres")}`, values);
    let following = fetchPage<Row>(session);
    // each answer is awaited below; one that fails first must not end the process
    for (const answer of [begun, declared, following]) answer.catch(() => {});
    await begun;
    await declared;
    for (let page = await following; page.length === PAGE_ROWS; page = await following) {
      following = fetchPage<Row>(session);
      following.catch(() => {});
      yield page;
    }
    yield await following;
  } catch (error) {
    throw explainFailure(error);
  } finally {
    void endMoment(connections, session);
  }
}

async function take(connections: SessionPool): Promise<SessionPort> {
  return connections.take().catch((error: unknown) => {
    throw explainFailure(error);
  });
}

async function fetchPage<Row>(session: SessionPort): Promise<Row[]> {
  return (await session.ask<Row>(`FETCH ${PAGE_ROWS} FROM pages`)).rows;
}

/** Never rejects. */
async function endMoment(connections: SessionPool, session: SessionPort): Promise<void> {
  const isBroken = await session.ask("ROLLBACK").then(
    () => false,
    () => true,
  );
  connections.release(session, isBroken);
}
