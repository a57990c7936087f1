/** Returns the candidate most similar to a mistyped word; undefined if none is close. */
export function mostSimilar(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const wanted = candidate.toLowerCase();
    const distance = editDistance(typed, wanted);
    const isClose = distance <= Math.max(1, Math.floor(Math.max(typed.length, wanted.length) * 0.4));
    if (isClose && distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Finds the text among `words`, in any case; undefined if it is not there. */
export function wordAmong<Word extends string>(text: string, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === text) ?? words.find((word) => word.toLowerCase() === text.toLowerCase());
}

/** Returns `; did you mean x?`, or an empty text if no candidate is close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const match = mostSimilar(word, candidates);
  return match === undefined ? "" : `; did you mean ${match}?`;
}

/** Counts insertions, deletions, replacements and swaps of neighbours (optimal string alignment distance). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
