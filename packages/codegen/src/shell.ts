// Command lines for a POSIX shell.

const LONGEST_LINE = 76;

/** A word, quoted if the shell would interpret it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command on one line. A long command is broken before each flag; a flag and its value stay on one line. */
export function commandLine(words: readonly string[]): string {
  const line = words.map(shellWord).join(" ");
  if (line.length <= LONGEST_LINE) return line;
  const parts: string[] = [];
  let isFlagOpen = false;
  for (const word of words) {
    const isFlag = word.startsWith("--");
    if (parts.length > 0 && (isFlagOpen || !parts.at(-1)?.startsWith("--")) && !isFlag) {
      parts.push(`${parts.pop()} ${shellWord(word)}`);
    } else parts.push(shellWord(word));
    isFlagOpen = isFlag;
  }
  return parts.join(" \\\n  ");
}
