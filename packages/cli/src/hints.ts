import type { OperationRecord } from "./record.ts";
import type { RawValues } from "./request.ts";
import { shellWord } from "./shell-word.ts";

/**
 * A hint of the contract with the values of the failed command in the place of its `<merchantId>`s, so that what it
 * says to run can be run. A placeholder nobody filled stays.
 */
export function fillHint(hint: string, { inputs }: OperationRecord, values: RawValues): string {
  return hint.replace(/<([A-Za-z]+)>/g, (placeholder, field: string) => {
    const input = inputs.find(({ path, secret }) => path.at(-1) === field && !secret);
    const value = input === undefined ? undefined : values.get(input.name);
    return typeof value === "string" ? shellWord(value) : placeholder;
  });
}
