const units = ["B", "kB", "MB", "GB", "TB", "PB"];

/** Formats a size with a decimal unit and three digits at most, such as 1.25 GB. */
export function formatBytes(bytes: number): string {
  const exponent = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1_000 ** exponent;
  return `${value.toLocaleString(undefined, { maximumSignificantDigits: 3 })} ${units[exponent]}`;
}
