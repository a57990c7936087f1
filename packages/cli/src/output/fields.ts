/** Reads a view by the dotted names that columns use. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at `name` (`usage.smsUsed`); undefined when an object on the path is missing. */
export function readField(view: unknown, name: string): unknown {
  let value = view;
  for (const key of name.split(".")) {
    if (!isObject(value)) return undefined;
    value = value[key];
  }
  return value;
}

/** Every dotted name of a view, objects flattened, in the order of the view. */
export function fieldNames(view: JsonObject, prefix = ""): string[] {
  return Object.entries(view).flatMap(([key, value]) => {
    const name = prefix + key;
    return isObject(value) && Object.keys(value).length > 0 ? fieldNames(value, `${name}.`) : [name];
  });
}

/** Whether the value is a list of objects, shown as a separate table beneath the view it belongs to. */
export function isObjectList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Returns a predicate for the fields of a view that have a value. */
export function hasValue(view: JsonObject): (name: string) => boolean {
  return (name) => {
    const value = readField(view, name);
    return value !== null && value !== undefined;
  };
}

/** Every name of any of the views. */
export function allNames(views: readonly JsonObject[]): string[] {
  return [...new Set(views.flatMap((view) => fieldNames(view)))];
}
