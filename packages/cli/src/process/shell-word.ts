/** Quotes a word if a shell would interpret it. Prefers double quotes where all shells read them alike. */
export function shellWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return /["\\!$`%]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}

/** Joins words to a command line. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}
