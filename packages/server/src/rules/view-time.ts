/** A time as views have it: RFC 3339 in UTC. */
export function viewTime(epochMs: number): string;
export function viewTime(epochMs: number | null): string | null;
export function viewTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
