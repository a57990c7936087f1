import { findInstallation } from "../commands/database.ts";
import type { CommandEnvironment } from "../commands/environment.ts";
import { type AuditRow, listAuditEntries } from "../domain/tenancy/rows.ts";
import { databases, openStore } from "../engines.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import type { Transaction } from "../store/store.ts";

/** The output of commands. */
export interface Printed {
  out: string;
  err: string;
}

/** Creates an environment for commands on a data folder, and collects their output. */
export function makeCommandEnvironment(
  data: string,
  clock: Clock = systemClock,
): { readonly environment: CommandEnvironment; readonly printed: Printed } {
  const printed = { out: "", err: "" };
  const printTo = (stream: keyof Printed) => (text: string) => {
    printed[stream] += text;
  };
  const environment = {
    env: { MSGD_DATA: data },
    output: { out: printTo("out"), err: printTo("err") },
    clock,
    openStore: (database: Parameters<CommandEnvironment["openStore"]>[0]) => openStore({ database, clock }),
    databases,
    fetch: () => Promise.reject(new Error("tests must not send requests to other hosts")),
  };
  return { environment, printed };
}

/** Writes to the commands' database. */
export async function writeBeside<T>(
  environment: CommandEnvironment,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const store = await environment.openStore(findInstallation({}, environment.env).database);
  try {
    return await store.write(work);
  } finally {
    await store.close();
  }
}

/** Lists the entries of a tenant's audit, the latest first, without that of its creation. */
export async function listRecorded(environment: CommandEnvironment, tenantId = 1): Promise<AuditRow[]> {
  const page = { tenantId, before: Number.MAX_SAFE_INTEGER, limit: 20 };
  const entries = await writeBeside(environment, (tx) => listAuditEntries(tx, page));
  return entries.filter(({ operation }) => operation !== "tenants create");
}
