// Suggests the tenant's own ids for the fields of a form: the contract's examples cannot contain them.

import type { OperationId } from "@msgctl/contract";
import { useMerchants } from "../../client/merchants.ts";
import { useSession } from "../../shell/session.ts";
import type { ContractField } from "./contract-form.ts";
import type { FieldValues } from "./field-values.ts";

export interface Suggestions {
  /** Values that replace those of the example. */
  readonly values: FieldValues;
  /** Known values to choose from, by field name. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

const MERCHANT = "merchant-id";

/** Returns undefined until the merchants are known or cannot be, so that a value never changes after it was shown. */
export function useSuggestions(operationId: OperationId, fields: readonly ContractField[]): Suggestions | undefined {
  const { tenant } = useSession();
  const { merchants, error } = useMerchants();
  if (merchants === undefined && error === undefined) return undefined;
  const ids = (merchants ?? []).map(({ merchantId }) => merchantId);
  const [first] = ids;
  const values: Record<string, string> = {};
  for (const { name, required } of fields) {
    // suggest none for `upsertMerchant`: the user chooses which merchant it creates or changes
    if (name === MERCHANT && required && first !== undefined && operationId !== "upsertMerchant") values[name] = first;
    // calls have an optional tenant id, which is only a label
    if (name === "tenant-id" && required) values[name] = tenant.tenantId;
  }
  return { values, lists: { [MERCHANT]: ids } };
}
