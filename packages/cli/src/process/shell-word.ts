/** A word of a command line, quoted where a shell would read it otherwise: with double quotes where every shell agrees. */
export function shellWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  return /["\\!$`%]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : `"${word}"`;
}

/** A whole command line. */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}
