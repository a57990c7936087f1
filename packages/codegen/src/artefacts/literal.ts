const LINE_WIDTH = 120;

/** A value as TypeScript source: names unquoted, and whatever fits on one line on one line. `undefined` is left out. */
export function literal(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(item, inner))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${propertyName(key)}: ${literal(item, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{ ", " }"];
  if (parts.length === 0) return `${open}${close}`.replace("  ", "");
  const line = `${open}${parts.join(", ")}${close}`;
  if (!line.includes("\n") && indent.length + line.length <= LINE_WIDTH) return line;
  return `${open.trim()}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close.trim()}`;
}

function propertyName(key: string): string {
  return /^[A-Za-z_$][\w$]*$|^[1-9]\d{0,8}$/.test(key) ? key : JSON.stringify(key);
}
