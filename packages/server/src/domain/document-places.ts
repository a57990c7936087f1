// Checks of a JSON document that may hold anything. Each reports its faults at the pointer of the field, and leaves values of
// the wrong type to the schema.

import { isPhoneNumber } from "./phone-numbers.ts";

export interface DocumentFault {
  /** JSON Pointer into the document (RFC 6901). */
  readonly pointer: string;
  /** Never holds a password. */
  readonly detail: string;
}

/** An object of the document with the pointer to it. */
export interface Place {
  readonly pointer: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function placesAt({ fields, pointer }: Place, name: string): Place[] {
  const list = fields[name];
  return Array.isArray(list) ? list.map((item, index) => placeOf(item, `${pointer}/${name}/${index}`)) : [];
}

export function fault({ pointer }: Place, name: string, detail: string): DocumentFault {
  return { pointer: `${pointer}/${name}`, detail };
}

/** One fault unless the field is text that `isAllowed`, or no text. */
export function checkText(
  place: Place,
  name: string,
  isAllowed: (text: string) => boolean,
  expected: string,
): DocumentFault[] {
  const text = place.fields[name];
  if (typeof text !== "string" || isAllowed(text)) return [];
  return [fault(place, name, `expected ${expected}, received ${JSON.stringify(text)}`)];
}

export function checkEnum(place: Place, name: string, values: readonly string[]): DocumentFault[] {
  return checkText(place, name, (text) => values.includes(text), `one of ${values.join(", ")}`);
}

/** A fault at each text of a list that is none of the values, or that the list has already. */
export function checkEnumList(place: Place, name: string, values: readonly string[]): DocumentFault[] {
  const list = place.fields[name];
  if (!Array.isArray(list)) return [];
  return list.flatMap((value, index) => {
    if (typeof value !== "string") return [];
    if (!values.includes(value)) {
      const detail = `expected one of ${values.join(", ")}, received ${JSON.stringify(value)}`;
      return [fault(place, `${name}/${index}`, detail)];
    }
    return list.indexOf(value) < index ? [fault(place, `${name}/${index}`, `${value} is named twice`)] : [];
  });
}

export function checkPhoneNumber(place: Place, name: string): DocumentFault[] {
  return checkText(place, name, isPhoneNumber, "a phone number in E.164, or null");
}

export function checkRange(place: Place, name: string, least: number, most: number): DocumentFault[] {
  const value = place.fields[name];
  if (typeof value !== "number" || (value >= least && value <= most)) return [];
  return [fault(place, name, `expected ${least} to ${most}, received ${value}`)];
}

/** A fault at each value of a field that an earlier place has too. */
export function findDuplicates(places: readonly Place[], names: readonly string[]): DocumentFault[] {
  return names.flatMap((name) => {
    const first = new Map<unknown, string>();
    return places.flatMap((place) => {
      const value = place.fields[name];
      if (value === undefined || value === null) return [];
      const earlier = first.get(value);
      if (earlier === undefined) first.set(value, `${place.pointer}/${name}`);
      return earlier === undefined ? [] : [fault(place, name, `${JSON.stringify(value)} is taken by ${earlier}`)];
    });
  });
}

/** The value as a place: without fields where it is no object. */
export function placeOf(value: unknown, pointer: string): Place {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return { pointer, fields: isObject ? (value as Record<string, unknown>) : {} };
}

/** A fault where the field names something that the document does not have. */
export function checkReference(place: Place, name: string, known: ReadonlySet<unknown>, list: string): DocumentFault[] {
  const id = place.fields[name];
  if (typeof id !== "number" || known.has(id)) return [];
  return [fault(place, name, `${id} is not in ${list}`)];
}

export function checkId(place: Place, name: string): DocumentFault[] {
  return checkRange(place, name, 1, Number.MAX_SAFE_INTEGER);
}
