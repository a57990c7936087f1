// A setting of msgd, and the text that is given for it.

/** A setting of msgd: the source of its flag, variable, `--help`, row in docs/operations.md and configured value. */
export interface Setting<Value> {
  /** The flag with its argument, such as `--port <number>`; absent if a process list must not show the value. */
  readonly flag?: string;
  /** The variable; absent if only the flag may set it. */
  readonly variable?: string;
  /** Meaning, in a few words: lower case, without a full stop. */
  readonly help: string;
  /** Further advice to the operator, for docs/operations.md: whole sentences. */
  readonly note?: string;
  /** The default, as text; without one the setting is then undefined. */
  readonly fallback?: string;
  /** The default as shown to readers. @default `fallback` */
  readonly shownDefault?: string;
  /** Allowed values, in the words of a fault. */
  readonly expected: string;
  /** Words of a fault for the received text. @default the text, in quotes */
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

/** The fault of a text that is not allowed: its source, the allowed values, the received text. */
export function describeFault(setting: Setting<unknown>, text: string): string {
  const { expected, received = (given) => `"${given}"` } = setting;
  return `${nameOf(setting)}: expected ${expected}, received ${received(text)}`;
}

/** `--port (MSGD_PORT)`. A switch is never wrong, but its variable may be. */
function nameOf({ flag, variable }: Setting<unknown>): string {
  const [word, argument] = flag?.split(" ") ?? [];
  if (word === undefined || argument === undefined) return variable ?? String(word);
  return variable === undefined ? word : `${word} (${variable})`;
}

/** Returns the setting's text for `--help`: its meaning, variable and default. */
export function describeSetting({ help, variable, fallback, shownDefault = fallback }: Setting<unknown>): string {
  if (variable === undefined) return help;
  return `${help} (${variable}${shownDefault === undefined ? "" : `, default ${shownDefault}`})`;
}
