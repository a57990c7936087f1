// Formats times and memory for printing.

export function percentile(times: readonly number[], percent: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

export function ms(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

export function mb(value: number): string {
  return value.toFixed(1);
}
