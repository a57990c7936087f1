// Values that an example cannot know: those of the tenant, and in development of the simulated carrier.

import type { OperationId } from "@msgctl/contract";
import { useSession } from "../../shell/session.ts";
import { useCall } from "../use-answer.ts";
import type { ContractField } from "./contract-form.ts";
import type { FieldValues } from "./field-values.ts";

export interface Suggestions {
  /** In place of the example's. */
  readonly values: FieldValues;
  /** What else there is, by the name of a field. */
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
    // whom it makes or changes is for the one who sends it to say
    if (name === MERCHANT && required && first !== undefined && operationId !== "upsertMerchant") values[name] = first;
    // of a call it is a label
    if (name === "tenant-id" && required) values[name] = tenant.tenantId;
  }
  return { values, lists: { [MERCHANT]: ids } };
}
