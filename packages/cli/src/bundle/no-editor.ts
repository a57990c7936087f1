/**
 * Replaces @inquirer/external-editor in the bundle (tsup.config.ts): inquirer imports it for a prompt that is
 * never used here, and it brings in half a megabyte of character tables.
 */
export function editAsync(): never {
  throw new Error("msgctl never opens an editor.");
}
