import { Connections } from "../../platform/postgres/connections.ts";
import { loadDriver } from "../../platform/postgres/driver.ts";
import type { Dialect } from "../dialect.ts";
import type { Store } from "../store.ts";
import { Units } from "./units.ts";

export interface SchemaStoreOptions {
  readonly url: string;
  readonly schema: string;
  readonly tables: (dialect: Dialect) => readonly string[];
  /** What the server knows the connections by. */
  readonly application: string;
  readonly mostConnections: number;
  /** How long an answer is waited for. */
  readonly answerMs: number;
}

/** Opens a schema of its own, with connections of its own, and creates it with its tables if it is missing. */
export async function openSchemaStore(
  options: SchemaStoreOptions,
): Promise<Pick<Store, "write" | "close"> & Required<Pick<Store, "breakOff">>> {
  const { schema, tables, mostConnections: most, ...settings } = options;
  const connections = new Connections(await loadDriver(), { ...settings, most, plansByIndex: true });
  const units = new Units(connections, undefined);
  try {
    await units.run(async (tx) => {
      if ((await tx.get("SELECT 1 FROM pg_namespace WHERE nspname = $1", schema)) !== undefined) return;
      // of any number that create it at once one succeeds, and the others look again
      for (const statement of [`CREATE SCHEMA IF NOT EXISTS ${schema}`, ...tables(tx.dialect)]) await tx.run(statement);
    });
  } catch (error) {
    await connections.close();
    throw error;
  }
  return {
    write: (work) => units.run(work),
    breakOff: () => connections.breakOff(),
    close: () => connections.close(),
  };
}
