/** The only file that reads the environment: variables in, plain settings out. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment, Sink } from "./io.ts";

export interface Settings {
  apiKey: string | undefined;
  apiSecret: string | undefined;
  baseUrl: string | undefined;
  profile: string | undefined;
  output: string | undefined;
  /** The secret that verifies callbacks; several are separated by spaces. */
  webhookSecret: string | undefined;
  /** Folder of the profiles. */
  folder: string;
  /** Folder for files that can be lost without harm. */
  cacheFolder: string;
  /** Undefined when no proxy is named. */
  proxies: ProxyVariables | undefined;
  /** File of authorities that Node trusts besides its own. */
  extraAuthorities: string | undefined;
  /** Whether SSL_CERT_FILE is set, which Node uses with --use-openssl-ca alone. */
  hasUnusedAuthorities: boolean;
}

/** A variable that is set, with the name under which it was found. */
export interface NamedProxy {
  variable: string;
  text: string;
}

/** Variables by which most programs find their proxy, each in either case; lower case wins. */
export interface ProxyVariables {
  http: NamedProxy | undefined;
  https: NamedProxy | undefined;
  all: NamedProxy | undefined;
  /** NO_PROXY: hosts that are reached directly. */
  none: string;
}

/** Reads the variables; an empty one counts as not set. */
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

/** A user without a name, as in a container, may have no home: `/` then, as Docker sets it. */
function findHome(env: Environment): string {
  try {
    return env.HOME || homedir();
  } catch {
    return "/";
  }
}

/** A relative path counts as none (XDG Base Directory Specification): else each folder would have its own profiles. */
function baseFolder(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** The completion scripts look for the folder in the same places. */
function findCacheFolder(env: Environment): string {
  const base = baseFolder(env.XDG_CACHE_HOME);
  if (base !== undefined) return join(base, "msgctl");
  if (env.LOCALAPPDATA) return join(env.LOCALAPPDATA, "msgctl");
  return join(findHome(env), ".cache", "msgctl");
}

/** Name by which the user calls the tool: under npx, a bare `msgctl` would not be found. */
export function programName(env: Environment): string {
  return env.npm_command === "exec" ? "npx msgctl" : "msgctl";
}

/** The command line of the pager: that of the user, even if it is empty, for none; `undefined` if they name none. */
export function pagerCommand({ MSGCTL_PAGER, PAGER }: Environment): string | undefined {
  return MSGCTL_PAGER?.trim() ?? (PAGER?.trim() || undefined);
}

/** The program that opens addresses; undefined where no browser could be shown. */
export function browserCommand(env: Environment, platform: string): readonly string[] | undefined {
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  if (env.BROWSER) return [env.BROWSER];
  if (platform === "darwin") return ["open"];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ["xdg-open"] : undefined;
}

/** Whether a build server runs the command: it may provide a terminal with no user at it. */
export function isAutomated(env: Environment): boolean {
  return ![undefined, "", "0", "false"].includes(env.CI);
}

/**
 * Whether a terminal takes only whole lines: one without a name or called dumb, as screen readers and editors do, or a
 * user who asks for plain text by the C locale. A console of Windows has no name.
 */
export function isLineByLine({ TERM, LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const isNameless = !TERM && process.platform !== "win32";
  return isNameless || TERM === "dumb" || /^(?:C|POSIX)$/.test(LC_ALL || LC_CTYPE || LANG || "");
}

/**
 * Whether to colour output to a stream: NO_COLOR wins, then FORCE_COLOR and CLICOLOR_FORCE, then whether the stream is a
 * terminal.
 */
export function hasColour(env: Environment, sink: Sink): boolean {
  if (env.NO_COLOR || env.FORCE_COLOR === "0") return false;
  if (env.FORCE_COLOR || ![undefined, "", "0"].includes(env.CLICOLOR_FORCE)) return true;
  return sink.isTTY && env.TERM !== "dumb";
}
