/** A random number between two numbers, so that no two rounds are alike. */
export function between(least: number, most: number): number {
  return least + Math.random() * (most - least);
}
