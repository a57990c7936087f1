/** Formats times for people, in the user's time zone. */
const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];

/** Formats `27 November 2026, 16:45`. */
export function formatMoment(ms: number, zoneOffsetMinutes: (at: Date) => number): string {
  const local = new Date(ms + zoneOffsetMinutes(new Date(ms)) * 60_000);
  const time = local.toISOString().slice(11, 16);
  return `${local.getUTCDate()} ${MONTHS[local.getUTCMonth()]} ${local.getUTCFullYear()}, ${time}`;
}
