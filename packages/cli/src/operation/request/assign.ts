/** Applies a --set flag to the body. */

import { wordAmong } from "../../failures/similar.ts";
import type { Input } from "../../model/record.ts";
import { isObject } from "../../output/fields.ts";
import type { Assignment } from "./given-body.ts";

/** Finds the input whose path is `steps`, or a prefix or an extension of it. */
export function inputAlong(inputs: readonly Input[], steps: readonly string[]): Input | undefined {
  return inputs.find((input) => {
    const shared = Math.min(input.path.length, steps.length);
    return input.in === "body" && input.path.slice(0, shared).every((name, index) => name === steps[index]);
  });
}

/** Sets the value in `body`, creating missing parents. Returns an error message if it cannot be set. */
export function assign(body: Record<string, unknown>, { steps, text }: Assignment, input: Input): string | undefined {
  if (steps.includes("__proto__")) return "a field cannot be named __proto__";
  const inside = steps.slice(input.path.length);
  const [position] = inside;
  if (position !== undefined && input.type !== "json") {
    if (!input.repeatable) return `${input.path.join(".")} is a single value and has no fields`;
    if (inside.length > 1 || !isPosition(position)) return "expected a position in the list, counted from 0";
  }
  return put(body, steps, toValue(text, steps, input), input.repeatable ? input.path.length : undefined);
}

/** `listAt`: depth of a repeatable input. If the container at this depth is missing, it is created as a list. */
function put(
  target: Record<string, unknown>,
  [step = "", ...rest]: readonly string[],
  value: unknown,
  listAt: number | undefined,
): string | undefined {
  const [next] = rest;
  if (next === undefined) {
    target[step] = value;
    return undefined;
  }
  const found = Object.hasOwn(target, step) ? target[step] : undefined;
  const inside = Array.isArray(found) || isObject(found) ? found : listAt === 1 || isPosition(next) ? [] : {};
  if (Array.isArray(inside)) {
    if (!isPosition(next)) return `${step} is a list; expected a position, counted from 0`;
    if (Number(next) > inside.length) return `position ${next} leaves a gap; the next one is ${inside.length}`;
  }
  target[step] = inside;
  // The cast also covers an array: its positions are property names.
  return put(inside as Record<string, unknown>, rest, value, listAt === undefined ? undefined : listAt - 1);
}

function isPosition(step: string): boolean {
  return /^(?:0|[1-9]\d{0,5})$/.test(step);
}

/** Converts the text: an enum word in any case, else JSON if it parses. For a string field, `12` and `true` stay text. */
function toValue(text: string, steps: readonly string[], input: Input): unknown {
  const json = parse(text);
  const isOneValue = steps.length === input.path.length + (input.repeatable ? 1 : 0);
  if (isOneValue && input.enum !== undefined) {
    const word = typeof json === "string" ? json : text;
    return wordAmong(word, input.enum) ?? word;
  }
  if (!isOneValue || json === undefined) return json === undefined ? text : json;
  if (input.type === "string") return typeof json === "string" ? json : text;
  // Keep an integer that a number cannot hold exactly as text.
  if (input.type === "integer-or-string")
    return Number.isSafeInteger(json) ? json : typeof json === "string" ? json : text;
  return json;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
