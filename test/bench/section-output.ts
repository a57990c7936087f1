/** Prints the lines of a section and its comparisons with goals. */
export interface SectionOutput {
  readonly print: (line: string) => void;
  readonly printGoal: (name: string, measured: string, goal: string, isMet: boolean) => void;
}

/** Lines of a table: names on the left, figures on the right. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, ...rows].map((line) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(32) : cell.padStart(15))).join(""),
  );
}
