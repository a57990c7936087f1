// The only file of the server that reads the environment.

import type { RateLimit } from "./http/rate-limit.ts";
import type { DirectoryCredential } from "./operations/operation.ts";
import { isTimezone } from "./rules/calendar.ts";
import type { CallbackReach } from "./rules/callback-url.ts";
import type { ConsentPolicy } from "./rules/consent.ts";
import { type PriceList, parsePrices } from "./rules/prices.ts";
import type { RegistrationPolicy } from "./rules/readiness.ts";
import { defaultLargestUpgradeCents, largestUpgradeCeilingCents } from "./rules/upgrades.ts";
import { parseSecretKey } from "./secret-box.ts";

export interface ServeFlags {
  readonly data?: string;
  readonly host?: string;
  readonly port?: string;
  readonly dev?: boolean;
  readonly consentPolicy?: string;
  readonly registration?: string;
  readonly idempotencyDays?: string;
  readonly directoryCredential?: string;
  readonly allowPrivateCallbacks?: boolean;
  readonly rateLimit?: string;
  readonly metricsHosts?: string;
  readonly prices?: string;
  readonly largestUpgrade?: string;
  readonly logLevel?: string;
}

export interface ServeConfig {
  readonly data: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly dev: boolean;
  readonly consentPolicy: ConsentPolicy;
  /** What becomes of an SMS whose sender's registration is not complete. */
  readonly registration: RegistrationPolicy;
  /** How long repeats of a call collapse into it. */
  readonly idempotencyDays: number;
  readonly directoryCredential: DirectoryCredential;
  /** What SIP passwords are sealed with; undefined leaves it to the data folder's own. */
  readonly secretKey: Buffer | undefined;
  readonly callbackReach: CallbackReach;
  /** How fast one credential may ask; undefined for as fast as it can. */
  readonly rateLimit: RateLimit | undefined;
  /** Names of this server, beside its addresses, under which `/metrics` may be asked for. */
  readonly metricsHosts: readonly string[];
  /** What is charged for what was sent. */
  readonly prices: PriceList;
  /** The most that one upgrade may cost, in cents. */
  readonly largestUpgradeCents: number;
  readonly logLevel: string;
}

/** Configuration that cannot be used; its message has a line for each fault. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export const defaults = {
  data: ".msgd",
  host: "127.0.0.1",
  port: "4800",
  consentPolicy: "strict",
  registration: "open",
  idempotencyDays: "7",
  directoryCredential: "a1-hash",
  largestUpgrade: String(defaultLargestUpgradeCents),
  logLevel: "warn",
};
/** A message's final state may take 72 hours, and a repeat of its send is the way to read it. */
const fewestIdempotencyDays = 3;
const noDataFolder = "--data (MSGD_DATA): expected a folder, received nothing";
const registrationPolicies: readonly string[] = ["open", "strict"] satisfies RegistrationPolicy[];
const consentPolicies: readonly string[] = ["strict", "opt_out_only"] satisfies ConsentPolicy[];
const directoryCredentials: readonly string[] = ["a1-hash", "password"] satisfies DirectoryCredential[];
const badSecretKey =
  "MSGD_SECRET_KEY: expected base64 of 32 bytes, such as openssl rand -base64 32 prints, received other text";
const logLevels: readonly string[] = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** A flag wins over its `MSGD_*` variable, which wins over the default. Throws with all faults at once. */
export function readServeConfig(flags: ServeFlags, env: NodeJS.ProcessEnv): ServeConfig {
  const data = flags.data ?? env.MSGD_DATA ?? defaults.data;
  const host = flags.host ?? env.MSGD_HOST ?? defaults.host;
  const port = flags.port ?? env.MSGD_PORT ?? defaults.port;
  const consentPolicy = flags.consentPolicy ?? env.MSGD_CONSENT_POLICY ?? defaults.consentPolicy;
  const registration = flags.registration ?? env.MSGD_REGISTRATION ?? defaults.registration;
  const idempotencyDays = flags.idempotencyDays ?? env.MSGD_IDEMPOTENCY_DAYS ?? defaults.idempotencyDays;
  const directoryCredential =
    flags.directoryCredential ?? env.MSGD_DIRECTORY_CREDENTIAL ?? defaults.directoryCredential;
  const logLevel = flags.logLevel ?? env.MSGD_LOG_LEVEL ?? defaults.logLevel;
  const privateCallbacks = String(flags.allowPrivateCallbacks ?? env.MSGD_ALLOW_PRIVATE_CALLBACKS ?? "unset");
  const rateLimit = flags.rateLimit ?? env.MSGD_RATE_LIMIT ?? "off";
  const metricsHosts = flags.metricsHosts ?? env.MSGD_METRICS_HOSTS ?? "";
  const prices = flags.prices ?? env.MSGD_PRICES ?? "";
  const largestUpgrade = flags.largestUpgrade ?? env.MSGD_LARGEST_UPGRADE ?? defaults.largestUpgrade;
  const dev = flags.dev ?? false;

  const priceList = parsePrices(prices);
  const faults: string[] = [];
  if (data.trim() === "") faults.push(noDataFolder);
  if (host.trim() === "") {
    faults.push(
      "--host (MSGD_HOST): expected an address of this machine, such as 127.0.0.1 or 0.0.0.0, received nothing",
    );
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    faults.push(`--port (MSGD_PORT): expected 0 to 65535, received "${port}"`);
  }
  if (!consentPolicies.includes(consentPolicy)) {
    faults.push(
      `--consent-policy (MSGD_CONSENT_POLICY): expected ${consentPolicies.join(" or ")}, received "${consentPolicy}"`,
    );
  }
  if (!registrationPolicies.includes(registration)) {
    faults.push(
      `--registration (MSGD_REGISTRATION): expected ${registrationPolicies.join(" or ")}, received "${registration}"`,
    );
  }
  if (!/^\d{1,3}$/.test(idempotencyDays) || Number(idempotencyDays) < fewestIdempotencyDays) {
    faults.push(
      `--idempotency-days (MSGD_IDEMPOTENCY_DAYS): expected ${fewestIdempotencyDays} to 999, received "${idempotencyDays}"`,
    );
  }
  if (!directoryCredentials.includes(directoryCredential)) {
    faults.push(
      `--directory-credential (MSGD_DIRECTORY_CREDENTIAL): expected ${directoryCredentials.join(" or ")}, received "${directoryCredential}"`,
    );
  }
  if (hasBadSecretKey(env)) faults.push(badSecretKey);
  if (!["true", "false", "unset"].includes(privateCallbacks)) {
    faults.push(`MSGD_ALLOW_PRIVATE_CALLBACKS: expected true or false, received "${privateCallbacks}"`);
  }
  if (rateLimit !== "off" && parseRateLimit(rateLimit) === undefined) {
    faults.push(
      `--rate-limit (MSGD_RATE_LIMIT): expected off, requests a second from 0.01 to 100000, or these and the burst, such as 50:200; received "${rateLimit}"`,
    );
  }
  if (!isHostList(metricsHosts)) {
    faults.push(
      `--metrics-hosts (MSGD_METRICS_HOSTS): expected names without ports, such as msgd.internal,msgd; received "${metricsHosts}"`,
    );
  }
  if (priceList === undefined) {
    faults.push(
      `--prices (MSGD_PRICES): expected micro-USD of sms, email and minute, to 100000000, and character, to 1000000, and markup in percent, to 1000, such as sms=7900,markup=20; received "${prices}"`,
    );
  }
  if (!/^\d{1,12}$/.test(largestUpgrade) || Number(largestUpgrade) < 1) {
    faults.push(
      `--largest-upgrade (MSGD_LARGEST_UPGRADE): expected cents, 1 to ${largestUpgradeCeilingCents}, received "${largestUpgrade}"`,
    );
  }
  if (!logLevels.includes(logLevel)) {
    faults.push(`--log-level (MSGD_LOG_LEVEL): expected one of ${logLevels.join(", ")}, received "${logLevel}"`);
  }
  if (dev && !isLoopback(host)) {
    faults.push(
      `--dev: hands out a demo credential, so it serves loopback only; received --host "${host}", expected 127.0.0.1`,
    );
  }
  if (priceList === undefined || faults.length > 0) throw new ConfigError(faults.join("\n"));
  return {
    data,
    host,
    port: Number(port),
    dev,
    consentPolicy: consentPolicy as ConsentPolicy,
    registration: registration as RegistrationPolicy,
    idempotencyDays: Number(idempotencyDays),
    directoryCredential: directoryCredential as DirectoryCredential,
    secretKey: parseSecretKey(env.MSGD_SECRET_KEY ?? ""),
    callbackReach: reachOf(privateCallbacks, dev),
    rateLimit: parseRateLimit(rateLimit),
    metricsHosts: metricsHosts === "" ? [] : metricsHosts.split(","),
    prices: priceList,
    largestUpgradeCents: Number(largestUpgrade),
    logLevel,
  };
}

/** A receiver on a developer's own machine is what callbacks are first tried with. */
function reachOf(privateCallbacks: string, dev: boolean): CallbackReach {
  if (privateCallbacks === "true") return "private";
  return dev && privateCallbacks === "unset" ? "loopback" : "public";
}

/** The data folder for commands that work beside a server. Throws when it is named and empty. */
export function readDataFolder(flag: string | undefined, env: NodeJS.ProcessEnv): string {
  const data = flag ?? env.MSGD_DATA ?? defaults.data;
  if (data.trim() === "") throw new ConfigError(noDataFolder);
  return data;
}

/** The key that SIP passwords are sealed with, or undefined where none is set. Throws for one that is no key. */
export function readSecretKey(env: NodeJS.ProcessEnv): Buffer | undefined {
  if (hasBadSecretKey(env)) throw new ConfigError(badSecretKey);
  return parseSecretKey(env.MSGD_SECRET_KEY ?? "");
}

// never with what was received: it may be a key with a typo
function hasBadSecretKey({ MSGD_SECRET_KEY: text }: NodeJS.ProcessEnv): boolean {
  return text !== undefined && parseSecretKey(text) === undefined;
}

/** Throws unless `name` is an IANA time zone. */
export function requireTimezone(name: string): string {
  if (isTimezone(name)) return name;
  throw new ConfigError(`--timezone: expected an IANA time zone such as America/New_York, received "${name}"`);
}

/** `<requests a second>[:<burst>]`; without a burst, ten seconds' worth may come at once. */
function parseRateLimit(text: string): RateLimit | undefined {
  const [, rate, given] = /^(\d{1,6}(?:\.\d{1,3})?)(?::(\d{1,7}))?$/.exec(text) ?? [];
  const perSecond = Number(rate);
  const burst = given === undefined ? Math.ceil(perSecond * 10) : Number(given);
  return perSecond >= 0.01 && perSecond <= 100_000 && burst >= 1 ? { perSecond, burst } : undefined;
}

function isHostList(text: string): boolean {
  return text === "" || text.split(",").every((name) => /^[\w-]+(?:\.[\w-]+)*$/.test(name));
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
