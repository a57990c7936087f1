/** Reads fields of a view by dotted names, as columns do. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value at `name` (`usage.smsUsed`); undefined if an object on the path is missing. */
export function readField(view: unknown, name: string): unknown {
  let value = view;
  for (const key of name.split(".")) {
    if (!isObject(value)) return undefined;
    value = value[key];
  }
  return value;
}

/** Returns the dotted names of all fields of a view, including those of nested objects, in the view's order. */
export function fieldNames(view: JsonObject, prefix = ""): string[] {
  return Object.entries(view).flatMap(([key, value]) => {
    const name = prefix + key;
    return isObject(value) && Object.keys(value).length > 0 ? fieldNames(value, `${name}.`) : [name];
  });
}

/** Whether the value is a list of objects. Such a list is shown as a separate table below its view. */
export function isObjectList(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Returns a function that tells whether a field of the view has a value. */
export function hasValue(view: JsonObject): (name: string) => boolean {
  return (name) => {
    const value = readField(view, name);
    return value !== null && value !== undefined;
  };
}

/** Returns the names of all fields that any of the views has. */
export function allNames(views: readonly JsonObject[]): string[] {
  return [...new Set(views.flatMap((view) => fieldNames(view)))];
}
