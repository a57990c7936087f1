/**
 * Matches characters that are invisible or reorder the surrounding text: control characters except line breaks and tabs,
 * and the direction characters of the Unicode Bidirectional Algorithm (section 2).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
export const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces invisible and reordering characters with their code points, such as ‹U+202E›. */
export function toVisible(text: string): string {
  return text.replaceAll(HIDDEN, (character) => {
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `‹U+${number}›`;
  });
}
