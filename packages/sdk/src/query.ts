/** The query of an address, as the contract has it (form style): values that are undefined are left out. */
export function toQuery(values: object): string {
  let query = "";
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined)
      query += `${query ? "&" : "?"}${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`;
  }
  return query;
}
