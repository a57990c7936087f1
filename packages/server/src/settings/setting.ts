/** One setting of msgd, as its flag, its variable, `--help`, docs/operations.md and its place in the configuration read it. */
export interface Setting<Value> {
  /** The flag and what follows it, such as `--port <number>`; none for what a process list must not show. */
  readonly flag?: string;
  /** The variable; none for what only a flag may ask for. */
  readonly variable?: string;
  /** What it means, in a few words. */
  readonly help: string;
  /** What else whoever runs the server should know, for docs/operations.md. */
  readonly note?: string;
  /** The text that stands for it where nothing is given; without one it is then left undefined. */
  readonly fallback?: string;
  /** What is said of its default. @default `fallback` */
  readonly shownDefault?: string;
  /** What is allowed, in the words of a fault. */
  readonly expected: string;
  /** What a fault says was received. @default the text, in quotes */
  readonly received?: string;
  /** Whether the text is allowed. */
  readonly accepts: (text: string) => boolean;
  /** What an allowed text stands for. */
  readonly read: (text: string) => Value;
}

/** The value that a setting has in the configuration. */
export type ValueOf<S> = S extends Setting<infer Value> & { readonly fallback: string }
  ? Value
  : S extends Setting<infer Value>
    ? Value | undefined
    : never;

/** What was given for a setting: the flag's before the variable's, before the default. */
export function findText(setting: Setting<unknown>, { flag, env }: GivenTexts): string | undefined {
  const fromVariable = setting.variable === undefined ? undefined : env[setting.variable];
  return flag === undefined ? (fromVariable ?? setting.fallback) : String(flag);
}

interface GivenTexts {
  readonly flag: string | boolean | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** The fault of a text that is not allowed: where it came from, what is allowed, what was received. */
export function describeFault(setting: Setting<unknown>, text: string): string {
  const { expected, received = `"${text}"` } = setting;
  return `${nameOf(setting)}: expected ${expected}, received ${received}`;
}

/** `--port (MSGD_PORT)`. A switch is never wrong, but its variable may be. */
function nameOf({ flag, variable }: Setting<unknown>): string {
  const [word, argument] = flag?.split(" ") ?? [];
  if (word === undefined || argument === undefined) return variable ?? String(word);
  return variable === undefined ? word : `${word} (${variable})`;
}

/** What `--help` says of it: its meaning, its variable and its default. */
export function describeSetting({ help, variable, fallback, shownDefault = fallback }: Setting<unknown>): string {
  if (variable === undefined) return help;
  return `${help} (${variable}${shownDefault === undefined ? "" : `, default ${shownDefault}`})`;
}
