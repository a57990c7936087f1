// Reads the configuration from flags and the environment. No other file of the server reads the environment.

import { isAbsolute, join } from "node:path";
import { isTimezone } from "@msgctl/contract/timezones";
import type { CallbackReach } from "../domain/policies.ts";
import { describeFault, findText, type Setting, type ValueOf } from "./setting.ts";
import { type Settings, settings } from "./settings.ts";

/** Flags by their names in commander: `consentPolicy` for `--consent-policy`. */
export type ServeFlags = Readonly<Record<string, string | boolean | undefined>>;

export interface ServeConfig extends Omit<Settings, "allowPrivateCallbacks"> {
  readonly callbackReach: CallbackReach;
}

/** Thrown for an invalid configuration. The message has a line for each fault. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The error for a missing key, with instructions. */
const MISSING_KEY = `MSGD_SECRET_KEY: needed with DATABASE_URL, received nothing. Make one, once:
  openssl rand -base64 32
  node -p "crypto.randomBytes(32).toString('base64')"
and give the same to every instance and command: credentials are hashed with it, and secrets sealed.`;

/** Reads the configuration. A flag overrides its `MSGD_*` variable, which overrides the default. Reports all faults at once. */
export function readServeConfig(flags: ServeFlags, env: NodeJS.ProcessEnv): ServeConfig {
  const faults: string[] = [];
  const values = Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const text = findText(setting, { flag: flags[nameFlag(setting)], env });
    if (text === undefined) return [name, undefined];
    if (!setting.accepts(text)) faults.push(describeFault(setting, text));
    return [name, setting.read(text)];
  });
  const { allowPrivateCallbacks, ...config } = Object.fromEntries(values) as Settings;
  if (config.dev && !isLoopback(config.host)) {
    faults.push(
      `--dev: hands out a demo credential, so it serves loopback only; received --host "${config.host}", expected 127.0.0.1`,
    );
  }
  // only checks that a key is set: an invalid one is already reported
  const hasKey = env[settings.secretKeys.variable] !== undefined;
  if (config.databaseUrl !== undefined && !config.dev && !hasKey) faults.push(MISSING_KEY);
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  return { ...config, callbackReach: decideReach(allowPrivateCallbacks, config.dev) };
}

/** Returns commander's name for the flag: `consentPolicy` for `--consent-policy <policy>`. */
function nameFlag({ flag = "" }: Setting<unknown>): string {
  const [word = ""] = flag.slice(2).split(" ");
  return word.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

/** Decides where callbacks may go. With `--dev` this machine is allowed, because developers start with a local receiver. */
function decideReach(allowsPrivate: boolean | undefined, dev: boolean): CallbackReach {
  if (allowsPrivate === true) return "private";
  return dev && allowsPrivate === undefined ? "loopback" : "public";
}

/** Returns where a command may post callbacks. It has no `--dev`, so only the flag allows this machine. */
export function readCallbackReach(flag: boolean | undefined, env: NodeJS.ProcessEnv): CallbackReach {
  return decideReach(
    readSetting(settings.allowPrivateCallbacks, env, flag === undefined ? undefined : String(flag)),
    false,
  );
}

/** Returns the data folder for commands, which may run while a server does. Throws if its name is empty. */
export function readDataFolder(flag: string | undefined, env: NodeJS.ProcessEnv): string {
  return readSetting(settings.data, env, flag);
}

/**
 * Returns the folder for search indexes of databases on servers, by default in the user's cache folder; undefined if the user
 * has no cache folder. Throws for an invalid path.
 */
export function readSearchFolder(env: NodeJS.ProcessEnv): string | undefined {
  const named = readSetting(settings.searchFolder, env);
  if (named !== undefined) return named;
  const { XDG_CACHE_HOME, LOCALAPPDATA, HOME } = env;
  const folders = [XDG_CACHE_HOME, LOCALAPPDATA, HOME && join(HOME, ".cache")];
  // a relative path is ignored, as the XDG Base Directory Specification requires
  const folder = folders.find((path) => path !== undefined && isAbsolute(path));
  return folder && join(folder, "msgd");
}

/** Returns the URL of the database, or undefined for embedded SQLite. Throws for an invalid one. */
export function readDatabaseUrl(env: NodeJS.ProcessEnv): string | undefined {
  return readSetting(settings.databaseUrl, env);
}

/** Returns the URL under which people reach the servers, or undefined if none is set. Throws for an invalid URL. */
export function readPublicUrl(env: NodeJS.ProcessEnv): string | undefined {
  return readSetting(settings.publicUrl, env);
}

/** Returns the secret keys, the first of which seals. Throws for an invalid key. */
export function readSecretKeys(env: NodeJS.ProcessEnv): readonly Buffer[] {
  return readSetting(settings.secretKeys, env) ?? [];
}

/** Returns the keys that all instances on a database share. If there is none, throws an error that explains how to make one. */
export function requireSecretKeys([first, ...others]: readonly Buffer[]): [Buffer, ...Buffer[]] {
  if (first === undefined) throw new ConfigError(MISSING_KEY);
  return [first, ...others];
}

function readSetting<S extends Setting<unknown>>(setting: S, env: NodeJS.ProcessEnv, flag?: string): ValueOf<S> {
  const text = findText(setting, { flag, env });
  if (text !== undefined && !setting.accepts(text)) throw new ConfigError(describeFault(setting, text));
  return (text === undefined ? undefined : setting.read(text)) as ValueOf<S>;
}

/** Throws unless `name` is an IANA time zone. */
export function requireTimezone(name: string): string {
  if (isTimezone(name)) return name;
  throw new ConfigError(`--timezone: expected an IANA time zone such as America/New_York, received "${name}"`);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
