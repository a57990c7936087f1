/** Masks credentials in the service's answers. `--show-secrets` shows them. */
import { isObject } from "./fields.ts";

export const MASK = "********";

export interface Masked<T> {
  value: T;
  /** Number of masked secrets. */
  hidden: number;
}

/** Returns a copy of a view in which the fields of `secrets` are masked, in all elements of arrays on their paths. */
export function maskFields(view: unknown, secrets: readonly string[]): Masked<unknown> {
  let hidden = 0;
  const value = replaceFields(view, secrets, () => {
    hidden += 1;
    return MASK;
  });
  return { value, hidden };
}

/**
 * Returns a copy of a view in which the values at these dotted paths are replaced, in all elements of arrays on the paths.
 * Values that are null or absent are kept.
 */
export function replaceFields(
  view: unknown,
  paths: readonly string[],
  replacement: (value: unknown) => unknown,
): unknown {
  return paths.reduce<unknown>((value, path) => replaceAt(value, path.split("."), replacement), view);
}

function replaceAt(value: unknown, path: readonly string[], replacement: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => replaceAt(element, path, replacement));
  const [key, ...rest] = path;
  if (key === undefined) return value === null || value === undefined ? value : replacement(value);
  if (!isObject(value) || !(key in value)) return value;
  return { ...value, [key]: replaceAt(value[key], rest, replacement) };
}

const XML_TAG = /<[^<>]*>/g;
const SECRET_NAME = /\sname\s*=\s*(?:"[^"]*(?:pass|hash|secret)[^"]*"|'[^']*(?:pass|hash|secret)[^']*')/i;
const XML_VALUE = /(\svalue\s*=\s*)("[^"]*"|'[^']*')/i;

/**
 * Masks credentials in a FreeSWITCH directory, since text answers have no schema that marks secrets. They are elements
 * `<param name="…" value="…"/>`: `password`, `vm-password`, and `a1-hash`, with which a phone can register as well.
 */
export function maskXml(text: string): Masked<string> {
  let hidden = 0;
  const value = text.replace(XML_TAG, (tag) => {
    if (!SECRET_NAME.test(tag)) return tag;
    return tag.replace(XML_VALUE, (_, before: string) => {
      hidden += 1;
      return `${before}"${MASK}"`;
    });
  });
  return { value, hidden };
}
