/** A word of a command line, quoted if a shell would interpret it: in double quotes if every shell agrees on them. */
export function shellWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return /["\\!$`%]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}

/** A whole command line. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}
