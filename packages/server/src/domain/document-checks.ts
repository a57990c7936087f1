// Checks of an unvalidated JSON document. Each check reports faults at the field's pointer, and ignores values of the
// wrong type, which the schema check reports.

import { isPhoneNumber } from "./phone-numbers.ts";

export interface DocumentFault {
  /** JSON Pointer into the document (RFC 6901). */
  readonly pointer: string;
  /** Never contains a password. */
  readonly detail: string;
}

/** An object in the document, and its pointer. */
export interface DocumentObject {
  readonly pointer: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export function objectsAt({ fields, pointer }: DocumentObject, name: string): DocumentObject[] {
  const list = fields[name];
  return Array.isArray(list) ? list.map((item, index) => objectOf(item, `${pointer}/${name}/${index}`)) : [];
}

export function fault({ pointer }: DocumentObject, name: string, detail: string): DocumentFault {
  return { pointer: `${pointer}/${name}`, detail };
}

/** Reports a fault if the field is a text that `isAllowed` rejects. */
export function checkText(
  object: DocumentObject,
  name: string,
  isAllowed: (text: string) => boolean,
  expected: string,
): DocumentFault[] {
  const text = object.fields[name];
  if (typeof text !== "string" || isAllowed(text)) return [];
  return [fault(object, name, `expected ${expected}, received ${JSON.stringify(text)}`)];
}

export function checkEnum(object: DocumentObject, name: string, values: readonly string[]): DocumentFault[] {
  return checkText(object, name, (text) => values.includes(text), `one of ${values.join(", ")}`);
}

/** Reports each text in the list that is not one of the values or occurs earlier in the list. */
export function checkEnumList(object: DocumentObject, name: string, values: readonly string[]): DocumentFault[] {
  const list = object.fields[name];
  if (!Array.isArray(list)) return [];
  return list.flatMap((value, index) => {
    if (typeof value !== "string") return [];
    if (!values.includes(value)) {
      const detail = `expected one of ${values.join(", ")}, received ${JSON.stringify(value)}`;
      return [fault(object, `${name}/${index}`, detail)];
    }
    return list.indexOf(value) < index ? [fault(object, `${name}/${index}`, `${value} is named twice`)] : [];
  });
}

export function checkPhoneNumber(object: DocumentObject, name: string): DocumentFault[] {
  return checkText(object, name, isPhoneNumber, "a phone number in E.164, or null");
}

export function checkRange(object: DocumentObject, name: string, least: number, most: number): DocumentFault[] {
  const value = object.fields[name];
  if (typeof value !== "number" || (value >= least && value <= most)) return [];
  return [fault(object, name, `expected ${least} to ${most}, received ${value}`)];
}

/** Reports each object that has, in one of the fields `names`, the same value as an earlier object. */
export function findDuplicates(objects: readonly DocumentObject[], names: readonly string[]): DocumentFault[] {
  return names.flatMap((name) => {
    const first = new Map<unknown, string>();
    return objects.flatMap((object) => {
      const value = object.fields[name];
      if (value === undefined || value === null) return [];
      const earlier = first.get(value);
      if (earlier === undefined) first.set(value, `${object.pointer}/${name}`);
      return earlier === undefined ? [] : [fault(object, name, `${JSON.stringify(value)} is taken by ${earlier}`)];
    });
  });
}

/** The value as an object; if it is not an object, one without fields. */
export function objectOf(value: unknown, pointer: string): DocumentObject {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return { pointer, fields: isObject ? (value as Record<string, unknown>) : {} };
}

/** Reports a field whose value is not one of the document's known ids. */
export function checkReference(
  object: DocumentObject,
  name: string,
  known: ReadonlySet<unknown>,
  list: string,
): DocumentFault[] {
  const id = object.fields[name];
  if (typeof id !== "number" || known.has(id)) return [];
  return [fault(object, name, `${id} is not in ${list}`)];
}

export function checkId(object: DocumentObject, name: string): DocumentFault[] {
  return checkRange(object, name, 1, Number.MAX_SAFE_INTEGER);
}
