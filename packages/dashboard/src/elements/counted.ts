/** A count with its noun, in the reader's digits: "1 email", "1,000 emails". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}
