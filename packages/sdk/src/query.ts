/** Formats values as a query string in the contract's style (`form`). Omits undefined values. */
export function toQuery(values: object): string {
  let query = "";
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined)
      query += `${query ? "&" : "?"}${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`;
  }
  return query;
}
