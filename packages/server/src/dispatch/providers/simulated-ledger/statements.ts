// The ledger's statements, on connections of its own: nothing it knows is part of a transaction of the server's.

import { Connections } from "../../../platform/postgres/connections.ts";
import { loadDriver } from "../../../platform/postgres/driver.ts";
import type { Value } from "../../../platform/postgres/exchange.ts";
import { isConflict, isLost, isUndone } from "../../../platform/postgres/failures.ts";
import { createTables } from "./postgres-tables.ts";

const CONNECTIONS = 4;
/** How long a statement may take: longer than a submission is valid, shorter than a provider's caller waits. */
const ANSWER_MS = 9_000;

/** Connects to the database at `url`, and creates the ledger's tables if they are missing. */
export async function openStatements(url: string): Promise<Statements> {
  const connections = new Connections(await loadDriver(), {
    url,
    application: "msgd simulated carrier",
    most: CONNECTIONS,
    answerMs: ANSWER_MS,
    plansByIndex: true,
  });
  try {
    await prepare(connections);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return new Statements(connections);
}

async function prepare(connections: Connections): Promise<void> {
  const session = await connections.take();
  try {
    await createTables(session);
  } finally {
    connections.release(session, false);
  }
}

export class Statements {
  readonly #connections: Connections;
  /** How many are under way. */
  underWay = 0;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /**
   * Runs a statement. One that PostgreSQL has undone, or was never sent, is run again, and one that is `repeatable` (that
   * may be run twice) also after its connection was lost: once. Any other rejection leaves open whether it was done.
   */
  async run<Row>(
    text: string,
    values: readonly Value[] = [],
    { repeatable }: { readonly repeatable: boolean } = { repeatable: false },
  ): Promise<Row[]> {
    this.underWay += 1;
    try {
      return await this.#once<Row>(text, values).catch((error: unknown) => {
        if (isConflict(error) || isUndone(error) || (repeatable && isLost(error))) return this.#once<Row>(text, values);
        throw error;
      });
    } finally {
      this.underWay -= 1;
    }
  }

  /** Waits for no answer any more: all statements reject. */
  breakOff(): void {
    this.#connections.breakOff();
  }

  /** Waits for the statements under way. */
  async close(): Promise<void> {
    await this.#connections.close();
  }

  async #once<Row>(text: string, values: readonly Value[]): Promise<Row[]> {
    const session = await this.#connections.take();
    let isBroken = false;
    try {
      return (await session.ask<Row>(text, values)).rows;
    } catch (error) {
      isBroken = isLost(error);
      throw error;
    } finally {
      this.#connections.release(session, isBroken);
    }
  }
}
