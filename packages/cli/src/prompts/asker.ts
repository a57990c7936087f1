/** Whoever asks the user. inquirer-asker.ts does it on a terminal; tests answer by themselves. */
export interface Asker {
  /** A line of text that `check` accepts. */
  text(message: string, check: Check): Promise<string>;
  /** The same, and nothing of what is typed is shown. */
  secret(message: string, check: Check): Promise<string>;
  /** One of `choices`. */
  choose(message: string, choices: readonly string[]): Promise<string>;
  /** `preset` is the answer that Enter gives. */
  confirm(message: string, preset: boolean): Promise<boolean>;
  /** Lines between the questions. */
  tell(text: string): void;
}

/** True, or what to say of a text that cannot be taken. */
export type Check = (text: string) => true | string;
