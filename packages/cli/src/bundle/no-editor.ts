/**
 * Stands in for @inquirer/external-editor in the bundle (tsup.config.ts): inquirer imports it for a kind of question that
 * is never asked here, and it brings half a megabyte of character tables.
 */
export function editAsync(): never {
  throw new Error("No question of msgctl opens an editor.");
}
