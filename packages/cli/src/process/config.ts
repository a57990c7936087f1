/** Reads environment variables into plain settings. No other file reads the environment. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment, Sink } from "./io.ts";

export interface Settings {
  apiKey: string | undefined;
  apiSecret: string | undefined;
  baseUrl: string | undefined;
  profile: string | undefined;
  output: string | undefined;
  /** The secrets that verify callbacks, separated by spaces. */
  webhookSecret: string | undefined;
  /** Folder of profiles, credentials and journals. */
  folder: string;
  /** Folder for files that may be deleted at any time. */
  cacheFolder: string;
  /** Undefined if no variable names a proxy. */
  proxies: ProxyVariables | undefined;
  /** File of additional certificate authorities to trust (NODE_EXTRA_CA_CERTS). */
  extraAuthorities: string | undefined;
  /** Whether SSL_CERT_FILE is set but unused: Node.js reads it only with --use-openssl-ca. */
  hasUnusedAuthorities: boolean;
}

/** The value of a proxy variable, with the spelling of its name that was found. */
export interface NamedProxy {
  variable: string;
  text: string;
}

/** The usual proxy variables. Names may be in upper or lower case; lower case wins. */
export interface ProxyVariables {
  http: NamedProxy | undefined;
  https: NamedProxy | undefined;
  all: NamedProxy | undefined;
  /** NO_PROXY: hosts to reach without a proxy. */
  none: string;
}

/** Reads the variables. An empty variable counts as not set. */
export function readSettings(env: Environment): Settings {
  const read = (name: string) => env[name]?.trim() || undefined;
  return {
    apiKey: read("MSGCTL_API_KEY"),
    apiSecret: read("MSGCTL_API_SECRET"),
    baseUrl: read("MSGCTL_BASE_URL"),
    profile: read("MSGCTL_PROFILE"),
    output: read("MSGCTL_OUTPUT"),
    webhookSecret: read("MSGCTL_WEBHOOK_SECRET"),
    folder: findFolder(env),
    cacheFolder: findCacheFolder(env),
    proxies: readProxies(read),
    extraAuthorities: read("NODE_EXTRA_CA_CERTS"),
    hasUnusedAuthorities: read("SSL_CERT_FILE") !== undefined && !env.NODE_OPTIONS?.includes("--use-openssl-ca"),
  };
}

function readProxies(read: (name: string) => string | undefined): ProxyVariables | undefined {
  const find = (name: string) => {
    const variable = [name.toLowerCase(), name].find((either) => read(either) !== undefined);
    return variable === undefined ? undefined : { variable, text: read(variable) ?? "" };
  };
  const [http, https, all] = [find("HTTP_PROXY"), find("HTTPS_PROXY"), find("ALL_PROXY")];
  return (http ?? https ?? all) ? { http, https, all, none: find("NO_PROXY")?.text ?? "" } : undefined;
}

function findFolder(env: Environment): string {
  const base = baseFolder(env.XDG_CONFIG_HOME);
  if (base !== undefined) return join(base, "msgctl");
  if (env.APPDATA) return join(env.APPDATA, "msgctl");
  return join(findHome(env), ".config", "msgctl");
}

/** Returns the home folder. A user without a name, as in a container, may have none; then returns `/`, as Docker does. */
function findHome(env: Environment): string {
  try {
    return env.HOME || homedir();
  } catch {
    return "/";
  }
}

/** Ignores a relative path, as the XDG specification demands: profiles would depend on the current folder. */
function baseFolder(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** The completion scripts find the folder by the same rules. */
function findCacheFolder(env: Environment): string {
  const base = baseFolder(env.XDG_CACHE_HOME);
  if (base !== undefined) return join(base, "msgctl");
  if (env.LOCALAPPDATA) return join(env.LOCALAPPDATA, "msgctl");
  return join(findHome(env), ".cache", "msgctl");
}

/** The name by which the user can call msgctl. Under npx, a bare `msgctl` would not be found. */
export function programName(env: Environment): string {
  return env.npm_command === "exec" ? "npx msgctl" : "msgctl";
}

/** The user's pager command. Empty: use no pager. Undefined: no variable names one. */
export function pagerCommand({ MSGCTL_PAGER, PAGER }: Environment): string | undefined {
  return MSGCTL_PAGER?.trim() ?? (PAGER?.trim() || undefined);
}

/** The program that opens addresses in a browser; undefined if there is no graphical desktop. */
export function browserCommand(env: Environment, platform: string): readonly string[] | undefined {
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  if (env.BROWSER) return [env.BROWSER];
  if (platform === "darwin") return ["open"];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}

/** Whether a build server runs the command. It may provide a terminal at which no user sits. */
export function isAutomated(env: Environment): boolean {
  return ![undefined, "", "0", "false"].includes(env.CI);
}

/**
 * Whether to write only whole lines to a terminal. True if TERM is `dumb` or not set, as under screen readers and editors, or
 * if the locale is C. On Windows TERM is never set.
 */
export function isLineByLine({ TERM, LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const isNameless = !TERM && process.platform !== "win32";
  return isNameless || TERM === "dumb" || /^(?:C|POSIX)$/.test(LC_ALL || LC_CTYPE || LANG || "");
}

/**
 * Whether to colour output to a stream. NO_COLOR takes precedence, then FORCE_COLOR and CLICOLOR_FORCE. By default only a
 * terminal gets colours.
 */
export function hasColour(env: Environment, sink: Sink): boolean {
  if (env.NO_COLOR || env.FORCE_COLOR === "0") return false;
  if (env.FORCE_COLOR || ![undefined, "", "0"].includes(env.CLICOLOR_FORCE)) return true;
  return sink.isTTY && env.TERM !== "dumb";
}
