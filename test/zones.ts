// Finds time zones where it is night or day, for tests of calls that may not ring at night.

const zones = [
  "Europe/London",
  "Asia/Dubai",
  "Asia/Bangkok",
  "Asia/Tokyo",
  "Pacific/Auckland",
  "Pacific/Honolulu",
  "America/Los_Angeles",
  "America/Chicago",
  "America/Sao_Paulo",
];

/** Finds a time zone whose hour (0 to 23) satisfies `isWanted` at `epochMs`. */
export function findZone(epochMs: number, isWanted: (hour: number) => boolean): string {
  const found = zones.find((timeZone) => {
    const hour = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "numeric", hourCycle: "h23" }).format(epochMs);
    return isWanted(Number(hour));
  });
  if (found === undefined) throw new Error("no time zone has such an hour");
  return found;
}
