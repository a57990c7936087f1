// Every setting of msgd, defined once: its flag, variable, default, check and texts. `--help`, docs/operations.md and
// the type of the configuration are derived from it.

import { isAbsolute } from "node:path";
import { IDEMPOTENCY_KEY_KEPT_DAYS_DEFAULT, IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM } from "@msgctl/contract/constants";
import { folderWords, isFolder, isPublicUrl } from "../carriers/settings-document.ts";
import {
  defaultLargestUpgradeCents,
  defaultPrices,
  formatPrices,
  largestUpgradeCeilingCents,
  parsePrices,
} from "../domain/billing/rules.ts";
import { parseDuration } from "../domain/calendar.ts";
import { defaultSpeechCommand, parseSpeechCommand } from "../domain/calls/speech.ts";
import { OTP_VALIDITY_MS, PATIENCE_MS } from "../domain/messages/rules.ts";
import { parseNetworks } from "../domain/network-addresses.ts";
import type {
  ConsentPolicy,
  DirectoryCredential,
  PriceList,
  RegistrationPolicy,
  StopCoverage,
} from "../domain/policies.ts";
import { parseRateLimit, RATE_WORDS } from "../domain/rate-limits.ts";
import type { LoggedAddresses } from "../http/client-addresses.ts";
import { findUrlFault } from "../platform/database-url.ts";
import { parseSecretKeys } from "../platform/secret-box.ts";
import type { Setting, ValueOf } from "./setting.ts";

export type { Setting } from "./setting.ts";

export const settings = {
  data: {
    flag: "--data <folder>",
    variable: "MSGD_DATA",
    help: "folder that holds all data",
    note: "Every command accepts this flag. With `DATABASE_URL` the folder holds only the files of `--dev`.",
    fallback: ".msgd",
    ...text("a folder"),
  },
  databaseUrl: {
    variable: "DATABASE_URL",
    help: "PostgreSQL database for any number of instances: postgres://user:password@host:5432/name",
    note: "Every command then uses it. Separate several hosts by commas: a:5432,b:5432. There is no flag, because a process list would show the password.",
    shownDefault: "embedded SQLite in the data folder",
    expected: "postgres://user:password@host:5432/name",
    received: (given: string) => findUrlFault(given) ?? "it",
    accepts: (given: string) => given === "" || findUrlFault(given) === undefined,
    read: (given: string) => (given === "" ? undefined : given),
  },
  searchFolder: {
    variable: "MSGD_SEARCH_FOLDER",
    help: "folder of the search indexes if DATABASE_URL is set; a removed index is built again",
    note: "Every command uses it. Each instance on a machine has its own index of each database. If the folder is not writable, indexes are temporary files. Without `DATABASE_URL` the index is in the data folder.",
    shownDefault: "`msgd` in `XDG_CACHE_HOME`, else in `~/.cache` (on Windows `%LOCALAPPDATA%`)",
    expected: "an absolute path, such as /var/cache/msgd",
    accepts: (given: string) => given === "" || isAbsolute(given),
    read: (given: string) => (given === "" ? undefined : given),
  },
  databaseConnections: {
    flag: "--database-connections <number>",
    variable: "MSGD_DATABASE_CONNECTIONS",
    help: "maximum number of connections of an instance to DATABASE_URL",
    fallback: "16",
    ...integer({ least: 3, most: 200 }),
  },
  host: {
    flag: "--host <address>",
    variable: "MSGD_HOST",
    help: "address to listen on",
    fallback: "127.0.0.1",
    ...text("an address of this machine, such as 127.0.0.1 or 0.0.0.0"),
  },
  port: {
    flag: "--port <number>",
    variable: "MSGD_PORT",
    help: "port to listen on; 0 takes a free one",
    fallback: "4800",
    ...integer({ least: 0, most: 65_535 }),
  },
  publicUrl: {
    flag: "--public-url <url>",
    variable: "MSGD_PUBLIC_URL",
    help: "URL at which people reach the server, such as https://msg.example.com; links in mails and links for new users begin with it",
    note: "[A proxy](#behind-a-proxy) provides TLS there. Commands use the variable, or else the value of the last server that ran on the data folder.",
    shownDefault: "none",
    expected: "an https URL without a path, such as https://msg.example.com; http only on this machine",
    received: describePublicUrl,
    accepts: (given: string) => given === "" || readOrigin(given) !== undefined,
    read: (given: string) => (given === "" ? undefined : readOrigin(given)),
  },
  trustedProxies: {
    flag: "--trusted-proxies <networks>",
    variable: "MSGD_TRUSTED_PROXIES",
    help: "addresses and networks of proxies whose X-Forwarded-For is trusted, such as 10.0.0.0/8,fd00::/8",
    note: "Without it, all clients of a proxy [share one limit](#behind-a-proxy) of failed sign-ins.",
    fallback: "",
    shownDefault: "none",
    expected: "addresses and networks without ports, such as 127.0.0.1,10.0.0.0/8,fd00::/8",
    accepts: (given: string) => given === "" || parseNetworks(given) !== undefined,
    read: (given: string): readonly string[] => parseNetworks(given) ?? [],
  },
  dev: {
    flag: "--dev",
    help: "create a demo tenant and its credential, and allow callbacks to this machine; loopback only",
    note: "Adds the control API under `/control`.",
    fallback: "false",
    shownDefault: "off",
    ...trueOrFalse(),
  },
  consentPolicy: {
    flag: "--consent-policy <policy>",
    variable: "MSGD_CONSENT_POLICY",
    help: "strict, or opt_out_only: refuse only recipients who opted out",
    fallback: "strict",
    ...oneOf<ConsentPolicy>("strict", "opt_out_only"),
  },
  stopCovers: {
    flag: "--stop-covers <channels>",
    variable: "MSGD_STOP_COVERS",
    help: "channels that a STOP by text opts out of: sms, or sms,voice to include calls",
    note: "See [what the FCC asks](carriers.md#whether-a-stop-ends-calls).",
    fallback: "sms",
    ...oneOf<StopCoverage>("sms", "sms,voice"),
  },
  registration: {
    flag: "--registration <policy>",
    variable: "MSGD_REGISTRATION",
    help: "open, or strict: SMS of merchants without a complete registration end UNDELIVERED",
    fallback: "open",
    ...oneOf<RegistrationPolicy>("open", "strict"),
  },
  idempotencyDays: {
    flag: "--idempotency-days <days>",
    variable: "MSGD_IDEMPOTENCY_DAYS",
    help: `days for which an Idempotency-Key is kept, ${IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM} or more`,
    fallback: String(IDEMPOTENCY_KEY_KEPT_DAYS_DEFAULT),
    ...integer({ least: IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM, most: 999 }),
  },
  directoryCredential: {
    flag: "--directory-credential <form>",
    variable: "MSGD_DIRECTORY_CREDENTIAL",
    help: "form in which FreeSWITCH receives SIP passwords: a1-hash, or password for realms that need clear text",
    note: "With `password`, FreeSWITCH receives them in clear text.",
    fallback: "a1-hash",
    ...oneOf<DirectoryCredential>("a1-hash", "password"),
  },
  secretKeys: {
    variable: "MSGD_SECRET_KEY",
    help: "key that seals carriers' settings, SIP passwords, callback secrets and second factors: base64 of 32 bytes",
    note: "Separate several keys by commas: msgd seals with the first and opens with any of them (`msgd secrets reseal`). With DATABASE_URL it is required, and must be the same for all instances and commands. There is no flag, because a process list would show the key.",
    shownDefault: "a key in the data folder",
    expected:
      "base64 of 32 bytes, such as the output of openssl rand -base64 32, or several of these separated by commas",
    // the text is never shown, because it may be a key with a typo
    received: () => "other text",
    accepts: (given: string) => parseSecretKeys(given) !== undefined,
    read: parseSecretKeys,
  },
  rateLimit: {
    flag: "--rate-limit <rate>",
    variable: "MSGD_RATE_LIMIT",
    help: "requests a second of each credential or user, and the burst, such as 50:200; or off",
    note: "Each instance counts separately: n instances behind a proxy let through up to n times as many. `msgd tenants limit` sets another rate for a tenant.",
    fallback: "off",
    expected: `off, ${RATE_WORDS}`,
    accepts: (given: string) => given === "off" || parseRateLimit(given) !== undefined,
    read: parseRateLimit,
  },
  metricsHosts: {
    flag: "--metrics-hosts <names>",
    variable: "MSGD_METRICS_HOSTS",
    help: "host names under which /metrics answers, in addition to IP addresses and localhost",
    fallback: "",
    shownDefault: "none",
    expected: "names without ports, such as msgd.internal,msgd",
    accepts: (given: string) => given === "" || given.split(",").every((name) => /^[\w-]+(?:\.[\w-]+)*$/.test(name)),
    read: (given: string): readonly string[] => (given === "" ? [] : given.split(",")),
  },
  dashboard: {
    flag: "--dashboard <on|off>",
    variable: "MSGD_DASHBOARD",
    help: "on, or off: users have no pages under /dashboard",
    note: "`msgd users create` creates users. A browser keeps their session only over https, or on this machine.",
    fallback: "on",
    expected: "on or off",
    accepts: (given: string) => given === "on" || given === "off",
    read: (given: string) => given === "on",
  },
  otpValidityMs: {
    flag: "--otp-validity <time>",
    variable: "MSGD_OTP_VALIDITY",
    help: "how long a one-time password may wait before it is handed to the carrier",
    note: "A one-time password that waits longer ends EXPIRED. Other messages may wait for 72 hours.",
    fallback: "10m",
    expected: "a time from 10s to 72h, such as 5m",
    accepts: (given: string) => isWithin(parseDuration(given), 10_000, PATIENCE_MS),
    read: (given: string) => parseDuration(given) ?? OTP_VALIDITY_MS,
  },
  bounces: {
    flag: "--bounces <address>",
    variable: "MSGD_BOUNCES",
    help: "address that takes bounced mails by SMTP or LMTP: host:port",
    note: "For carriers with a `returnPath`. It requires no password: restrict in your network who may connect.",
    shownDefault: "none",
    expected: "host:port, such as 127.0.0.1:2525",
    accepts: (given: string) => given === "" || parseBounceAddress(given) !== undefined,
    read: parseBounceAddress,
  },
  speechCommand: {
    flag: "--speech <command>",
    variable: "MSGD_SPEECH",
    help: "program that speaks the text of calls: it reads text and writes a WAV file",
    note: "For carriers of calls. {file}, {language} and {voice} stand for the values of each speech.",
    fallback: defaultSpeechCommand,
    expected:
      "a program and its arguments, one of which is {file}, such as piper --model /voices/{voice}.onnx -f {file}",
    accepts: (given: string) => parseSpeechCommand(given) !== undefined,
    read: parseSpeechCommand,
  },
  speechFolder: {
    flag: "--speech-folder <path>",
    variable: "MSGD_SPEECH_FOLDER",
    help: "folder of the speech of calls, which FreeSWITCH reads",
    note: "For carriers of calls. A file that was not used for a week is removed, and created again when a call needs it.",
    shownDefault: "none",
    expected: folderWords,
    accepts: (given: string) => given === "" || isFolder(given),
    read: (given: string) => (given === "" ? undefined : given),
  },
  prices: {
    flag: "--prices <list>",
    variable: "MSGD_PRICES",
    help: "prices in micro-USD of sms, email, minute and character, and the markup in percent",
    note: "A character costs at most 1000000. A price that is omitted keeps its default. Earlier charges do not change.",
    fallback: "",
    shownDefault: formatPrices(defaultPrices),
    expected:
      "a list such as sms=7900,markup=20: sms, email and minute up to 100000000 micro-USD, character up to 1000000 micro-USD, markup up to 1000 percent",
    accepts: (given: string) => parsePrices(given) !== undefined,
    read: (given: string): PriceList => parsePrices(given) ?? defaultPrices,
  },
  largestUpgradeCents: {
    flag: "--largest-upgrade <cents>",
    variable: "MSGD_LARGEST_UPGRADE",
    help: "maximum price of one upgrade of a merchant's channel, in cents",
    fallback: String(defaultLargestUpgradeCents),
    ...integer({ least: 1, most: largestUpgradeCeilingCents, unit: "cents, " }),
  },
  allowPrivateCallbacks: {
    flag: "--allow-private-callbacks",
    variable: "MSGD_ALLOW_PRIVATE_CALLBACKS",
    help: "allow callbacks over http, and to this machine and its network: for development",
    note: "`--dev` allows callbacks to this machine even without this flag.",
    ...trueOrFalse(),
  },
  logLevel: {
    flag: "--log-level <level>",
    variable: "MSGD_LOG_LEVEL",
    help: "trace, debug, info, warn, error, fatal or silent; logs go to stderr",
    fallback: "warn",
    ...oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  },
  logAddresses: {
    flag: "--log-addresses <form>",
    variable: "MSGD_LOG_ADDRESSES",
    help: "client addresses in log lines: full, masked (only the first 24 bits, or 48 bits of IPv6) or none",
    note: "[fail2ban](#refused-sign-ins) needs `full`.",
    fallback: "full",
    ...oneOf<LoggedAddresses>("full", "masked", "none"),
  },
} satisfies Record<string, Setting<unknown>>;

/** The values of all settings. */
export type Settings = { readonly [Name in keyof typeof settings]: ValueOf<(typeof settings)[Name]> };

type Check<Value> = Pick<Setting<Value>, "expected" | "received" | "accepts" | "read">;

function text(expected: string): Check<string> {
  return { expected, received: () => "nothing", accepts: (given) => given.trim() !== "", read: (given) => given };
}

function integer({ least, most, unit = "" }: { least: number; most: number; unit?: string }): Check<number> {
  const digits = String(most).length;
  return {
    expected: `${unit}${least} to ${most}`,
    accepts: (given) =>
      /^\d+$/.test(given) && given.length <= digits && Number(given) >= least && Number(given) <= most,
    read: Number,
  };
}

function oneOf<Value extends string>(...values: Value[]): Check<Value> {
  const expected = values.length === 2 ? values.join(" or ") : `one of ${values.join(", ")}`;
  return { expected, accepts: (given) => (values as string[]).includes(given), read: (given) => given as Value };
}

function trueOrFalse(): Check<boolean> {
  return {
    expected: "true or false",
    accepts: (given) => given === "true" || given === "false",
    read: (given) => given === "true",
  };
}

/** Returns the origin of a public URL without path, query or fragment; a trailing slash is ignored. */
function readOrigin(given: string): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const url = new URL(given);
  return isPublicUrl(given) && url.href === `${url.origin}/` && !/[?#]/.test(given) ? url.origin : undefined;
}

function describePublicUrl(given: string): string {
  const hasPath = URL.canParse(given) && new URL(given).pathname !== "/";
  return hasPath ? `"${given}": msgd cannot be served under a path; give it a host name of its own` : `"${given}"`;
}

function parseBounceAddress(given: string): { readonly host: string; readonly port: number } | undefined {
  const [, bracketed, plain, port = ""] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(given) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || Number(port) > 65_535) return undefined;
  return { host, port: Number(port) };
}

function isWithin(value: number | undefined, least: number, most: number): boolean {
  return value !== undefined && value >= least && value <= most;
}
