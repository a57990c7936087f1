/**
 * What a text has that would not show, or would move what is around it: control characters but line breaks and tabs, and those
 * that turn the direction of writing (Unicode Bidirectional Algorithm, 2).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
export const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with such characters by their numbers. */
export function toVisible(text: string): string {
  return text.replaceAll(HIDDEN, (character) => {
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `‹U+${number}›`;
  });
}
