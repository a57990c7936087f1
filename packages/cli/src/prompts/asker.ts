/** Prompts the user. inquirer-asker.ts does it on a terminal; tests supply the answers. */
export interface Asker {
  /** A line of text that `check` accepts. */
  text(message: string, check: Check): Promise<string>;
  /** The same, without echoing what is typed. */
  secret(message: string, check: Check): Promise<string>;
  /** One of `choices`. */
  choose(message: string, choices: readonly string[]): Promise<string>;
  /** `preset` is the answer for Enter. */
  confirm(message: string, preset: boolean): Promise<boolean>;
  /** Prints lines between the prompts. */
  tell(text: string): void;
}

/** Returns true, or a message for a text that is not accepted. */
export type Check = (text: string) => true | string;
