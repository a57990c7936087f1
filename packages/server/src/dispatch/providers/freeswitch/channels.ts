/** The ids of all calls that FreeSWITCH has, from what `show channels as json` prints. Throws if it is anything else. */
export function readChannelIds(printed: string): Set<string> {
  const { rows = [] } = JSON.parse(printed) as { rows?: { uuid?: unknown }[] };
  return new Set(rows.flatMap(({ uuid }) => (typeof uuid === "string" ? [uuid] : [])));
}
