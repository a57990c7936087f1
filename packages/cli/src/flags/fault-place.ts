import type { Input, OperationRecord } from "../model/record.ts";
import { formatInputName } from "./input-name.ts";

const PLACES = ["path", "query", "header"];

/**
 * Translates a pointer from the service to the flag or argument that the user typed: `/toNumbers/1` becomes
 * `--to-numbers (value 2)`, `/query/limit` becomes `--limit`. A pointer that refers to no input is returned unchanged.
 */
export function findPlace(pointer: string, { inputs }: Pick<OperationRecord, "inputs">): string {
  const steps = pointer.split("/").slice(1).map(unescapeStep);
  const [place = "", ...inside] = steps;
  if (place === "header" && inside[0] === "Idempotency-Key") return "--idempotency-key";
  const input = find(inputs, "body", steps) ?? (PLACES.includes(place) ? find(inputs, place, inside) : undefined);
  if (input === undefined) return pointer;
  const position = input.in === "body" ? steps[input.path.length] : undefined;
  if (!input.repeatable || position === undefined || !/^\d+$/.test(position)) return formatInputName(input);
  return `${formatInputName(input)} (value ${Number(position) + 1})`;
}

function find(inputs: readonly Input[], place: string, steps: readonly string[]): Input | undefined {
  return inputs.find((input) => input.in === place && input.path.every((name, index) => steps[index] === name));
}

/** Unescapes a step of a JSON pointer (RFC 6901). */
function unescapeStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
