// The tenant's own ids, which the contract's examples cannot contain, as values of a form.

import type { OperationId } from "@msgctl/contract";
import { useSession } from "../../shell/session.ts";
import { useCall } from "../use-answer.ts";
import type { ContractField } from "./contract-form.ts";
import type { FieldValues } from "./field-values.ts";

export interface Suggestions {
  /** Values that replace the example's. */
  readonly values: FieldValues;
  /** Other known values, by the name of a field. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

const MERCHANT = "merchant-id";

export function useSuggestions(operationId: OperationId, fields: readonly ContractField[]): Suggestions {
  const { tenant } = useSession();
  const { answer: merchants = [] } = useCall("listMerchants", {});
  const ids = merchants.map(({ merchantId }) => merchantId);
  const [first] = ids;
  const values: Record<string, string> = {};
  for (const { name, required } of fields) {
    // the user chooses which merchant `upsertMerchant` creates or changes
    if (name === MERCHANT && required && first !== undefined && operationId !== "upsertMerchant") values[name] = first;
    // for a call the tenant's id is only a label
    if (name === "tenant-id" && required) values[name] = tenant.tenantId;
  }
  return { values, lists: { [MERCHANT]: ids } };
}
