// Defines a setting of msgd and finds the text that was given for it.

/** A setting of msgd. Its flag, variable, `--help` text, row in docs/operations.md and value are derived from this. */
export interface Setting<Value> {
  /** The flag with its argument, such as `--port <number>`; absent if the value must not appear in a process list. */
  readonly flag?: string;
  /** The environment variable; absent if only the flag may set the value. */
  readonly variable?: string;
  /** Meaning, in a few words: lower case, without a full stop. */
  readonly help: string;
  /** Further advice to the operator, for docs/operations.md: whole sentences. */
  readonly note?: string;
  /** The default, as text. Without a default, a setting that is not given is undefined. */
  readonly fallback?: string;
  /** The default as shown to readers. @default `fallback` */
  readonly shownDefault?: string;
  /** The allowed values, as a fault names them after `expected`. */
  readonly expected: string;
  /** Returns how a fault names the given text after `received`. @default the text, in quotes */
  readonly received?: (text: string) => string;
  /** Returns whether the text is allowed. */
  readonly accepts: (text: string) => boolean;
  /** Converts an allowed text to its value. */
  readonly read: (text: string) => Value;
}

/** The type of a setting's value in the configuration. */
export type ValueOf<S> = S extends Setting<infer Value> & { readonly fallback: string }
  ? Value
  : S extends Setting<infer Value>
    ? Value | undefined
    : never;

/** Returns the text given for a setting: the flag's, else the variable's, else the default. */
export function findText(
  setting: Setting<unknown>,
  { flag, env }: { flag: string | boolean | undefined; env: NodeJS.ProcessEnv },
): string | undefined {
  const fromVariable = setting.variable === undefined ? undefined : env[setting.variable];
  return flag === undefined ? (fromVariable ?? setting.fallback) : String(flag);
}

/** Describes the fault of a text that is not allowed: its source, the allowed values, the received text. */
export function describeFault(setting: Setting<unknown>, text: string): string {
  const { expected, received = (given) => `"${given}"` } = setting;
  return `${nameOf(setting)}: expected ${expected}, received ${received(text)}`;
}

/** Returns the source as `--port (MSGD_PORT)`; only the variable for a switch, because a switch itself is never wrong. */
function nameOf({ flag, variable }: Setting<unknown>): string {
  const [word, argument] = flag?.split(" ") ?? [];
  if (word === undefined || argument === undefined) return variable ?? String(word);
  return variable === undefined ? word : `${word} (${variable})`;
}

/** Returns the setting's `--help` text: its meaning, variable and default. */
export function describeSetting({ help, variable, fallback, shownDefault = fallback }: Setting<unknown>): string {
  if (variable === undefined) return help;
  return `${help} (${variable}${shownDefault === undefined ? "" : `, default ${shownDefault}`})`;
}
