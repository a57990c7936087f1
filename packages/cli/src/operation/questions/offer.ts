/** Finds choices to offer at a prompt: the current values in a list of the service. */

import { parseValue } from "../../flags/value.ts";
import { allGroups, type Catalog } from "../../model/catalog.ts";
import type { Input, OperationRecord } from "../../model/record.ts";
import { readField } from "../../output/fields.ts";
import { readOnce, type Service } from "../service-read.ts";

/** Returns the values to offer; none if no list has them, or the list cannot be read. */
export type Offer = (input: Input) => Promise<readonly string[]>;

const MOST_OFFERED = 100;
/** A short limit, since the user can also type the value. */
const LONGEST_WAIT_MS = 3000;

/** Offers listed values for inputs with `complete`. Offers none for --dry-run and --curl, which must not send requests. */
export function createOffer(service: Service): Offer {
  return async (input) => {
    const { complete } = input;
    if (complete === undefined || service.options.preview !== undefined) return [];
    const list = await findList(complete, service.catalog);
    if (list === undefined) return [];
    // ignore a failed read, since the user can type the value; -v shows the failure
    const rows = await readOnce(list, service, { bounds: { timeoutMs: LONGEST_WAIT_MS, retries: 0 } }).catch(
      () => undefined,
    );
    return Array.isArray(rows) ? offered(rows, complete, input) : [];
  };
}

async function findList(field: string, catalog: Catalog): Promise<OperationRecord | undefined> {
  for (const entry of allGroups(catalog).flatMap(({ commands }) => commands)) {
    if (!("operationId" in entry)) continue;
    const record = await catalog.record(entry.operationId);
    if (record.listed?.includes(field) && record.inputs.every(({ required }) => !required)) return record;
  }
  return undefined;
}

function offered(rows: readonly unknown[], field: string, input: Input): string[] {
  const found = new Set<string>();
  for (const row of rows) {
    const value = readField(row, field);
    const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
    if (text !== "" && parseValue(input, text).ok) found.add(text);
    if (found.size === MOST_OFFERED) break;
  }
  return [...found];
}
