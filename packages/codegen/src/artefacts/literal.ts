const LINE_WIDTH = 120;

/**
 * A value as TypeScript source, with unquoted names, on one line if it fits. Members that are `undefined` are left out.
 *
 * @param indent the white space at the start of the value's line
 * @param used the number of columns before the value on its line
 */
export function literal(value: unknown, indent = "", used = indent.length): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{ ", " }"];
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => property(propertyName(key), item, inner));
  if (parts.length === 0) return open.trim() + close.trim();
  const line = `${open}${parts.join(", ")}${close}`;
  if (!line.includes("\n") && used + line.length < LINE_WIDTH) return line;
  return `${open.trim()}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close.trim()}`;
}

function property(name: string, value: unknown, indent: string): string {
  return `${name}: ${literal(value, indent, `${indent}${name}: `.length)}`;
}

function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$|^[1-9]\d{0,8}$/.test(key) ? key : JSON.stringify(key);
}
