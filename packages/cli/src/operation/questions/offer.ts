/** The choices offered at a question: the current values of a list of the service. */

import { parseValue } from "../../flags/value.ts";
import { allGroups, type Catalog } from "../../model/catalog.ts";
import type { Input, OperationRecord } from "../../model/record.ts";
import { readField } from "../../output/fields.ts";
import { readOnce, type Service } from "../service-read.ts";

/** Returns no values if the input has no list, or the list cannot be read. */
export type Offer = (input: Input) => Promise<readonly string[]>;

const MOST_OFFERED = 100;
/** The user can also type the value: an offer does not justify a longer wait. */
const LONGEST_WAIT_MS = 3000;

/** Offers the values listed for an input's `complete`; none for a request that is only printed: it sends nothing. */
export function createOffer(service: Service): Offer {
  return async (input) => {
    const { complete } = input;
    if (complete === undefined || service.options.preview !== undefined) return [];
    const list = await findList(complete, service.catalog);
    if (list === undefined) return [];
    // the user can type the value, so a failed read does not matter; -v shows it
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
