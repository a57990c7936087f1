// The only file of the server that reads the environment.

import { isTimezone } from "./rules/calendar.ts";
import type { ConsentPolicy } from "./rules/consent.ts";

export interface ServeFlags {
  readonly data?: string;
  readonly host?: string;
  readonly port?: string;
  readonly dev?: boolean;
  readonly consentPolicy?: string;
  readonly idempotencyDays?: string;
  readonly logLevel?: string;
}

export interface ServeConfig {
  readonly data: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly dev: boolean;
  readonly consentPolicy: ConsentPolicy;
  /** How long repeats of a call collapse into it. */
  readonly idempotencyDays: number;
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
  idempotencyDays: "7",
  logLevel: "warn",
};
/** A message's final state may take 72 hours, and a repeat of its send is the way to read it. */
const fewestIdempotencyDays = 3;
const noDataFolder = "--data (MSGD_DATA): expected a folder, received nothing";
const consentPolicies: readonly string[] = ["strict", "opt_out_only"] satisfies ConsentPolicy[];
const logLevels: readonly string[] = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

/** A flag wins over its `MSGD_*` variable, which wins over the default. Throws with all faults at once. */
export function readServeConfig(flags: ServeFlags, env: NodeJS.ProcessEnv): ServeConfig {
  const data = flags.data ?? env.MSGD_DATA ?? defaults.data;
  const host = flags.host ?? env.MSGD_HOST ?? defaults.host;
  const port = flags.port ?? env.MSGD_PORT ?? defaults.port;
  const consentPolicy = flags.consentPolicy ?? env.MSGD_CONSENT_POLICY ?? defaults.consentPolicy;
  const idempotencyDays = flags.idempotencyDays ?? env.MSGD_IDEMPOTENCY_DAYS ?? defaults.idempotencyDays;
  const logLevel = flags.logLevel ?? env.MSGD_LOG_LEVEL ?? defaults.logLevel;
  const dev = flags.dev ?? false;

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
  if (!/^\d{1,3}$/.test(idempotencyDays) || Number(idempotencyDays) < fewestIdempotencyDays) {
    faults.push(
      `--idempotency-days (MSGD_IDEMPOTENCY_DAYS): expected ${fewestIdempotencyDays} to 999, received "${idempotencyDays}"`,
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
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  return {
    data,
    host,
    port: Number(port),
    dev,
    consentPolicy: consentPolicy as ConsentPolicy,
    idempotencyDays: Number(idempotencyDays),
    logLevel,
  };
}

/** The data folder for commands that work beside a server. Throws when it is named and empty. */
export function readDataFolder(flag: string | undefined, env: NodeJS.ProcessEnv): string {
  const data = flag ?? env.MSGD_DATA ?? defaults.data;
  if (data.trim() === "") throw new ConfigError(noDataFolder);
  return data;
}

/** Throws unless `name` is an IANA time zone. */
export function requireTimezone(name: string): string {
  if (isTimezone(name)) return name;
  throw new ConfigError(`--timezone: expected an IANA time zone such as America/New_York, received "${name}"`);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
