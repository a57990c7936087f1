// The items of long lists: inspected and validated a few at a time, so that other requests have their turn in between.

import type { ValidateFunction } from "ajv/dist/2020.js";
import { type CountedFaults, type FieldFault, MOST_FAULTS } from "../../rules/refusal.ts";
import type { BodyTraits, TakeStep } from "../bodies/body.ts";
import { joinFaults, toFaults } from "./fault-lists.ts";
import { Inspection, type LongList } from "./inspection.ts";

/** libphonenumber takes up to 10 µs per phone number. */
const ITEMS_A_STEP = 100;

/** Runs `validate` with each long list reduced to its first item. */
export function withFirstItems<T>(longLists: readonly LongList[], validate: () => T): T {
  for (const { owner, name, first } of longLists) owner[name] = [first];
  try {
    return validate();
  } finally {
    for (const { owner, name, values } of longLists) owner[name] = values;
  }
}

/** Returns the faults of all items but each list's first, as many as a problem reports. Adds the rest to `others`. */
export async function findItemFaults(
  longLists: readonly LongList[],
  others: CountedFaults,
  traits: BodyTraits & { readonly inStep: TakeStep },
  compile: (items: object) => ValidateFunction,
): Promise<readonly FieldFault[]> {
  const told: FieldFault[] = [];
  const inspection = new Inspection(traits);
  for (const { pointer, values, items } of longLists) {
    const validate = compile(items);
    const findFaults = (index: number) => {
      const place = `${pointer}/${index}`;
      const isValid = validate(inspection.inspect(items, values[index], place));
      const faults = inspection.takeFaults();
      return isValid ? faults : joinFaults(faults, toFaults(validate, place));
    };
    for (let start = 1; start < values.length; start += ITEMS_A_STEP) {
      const end = Math.min(start + ITEMS_A_STEP, values.length);
      await traits.inStep(() => {
        for (let index = start; index < end; index++) {
          for (const fault of findFaults(index)) {
            if (told.length < MOST_FAULTS) told.push(fault);
            else others.add(fault.code);
          }
        }
      });
    }
  }
  return told;
}
