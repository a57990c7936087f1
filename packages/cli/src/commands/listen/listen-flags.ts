/** Reads and validates the flags of `msgctl listen`. */

import type { Fault } from "../../failures/errors.ts";
import { isLoopback } from "../../flags/base-url.ts";
import type { CommandLine } from "../../model/command.ts";
import { DEFAULT_HOST, DEFAULT_PORT, DEFAULT_TOLERANCE_SECONDS } from "./listen-defaults.ts";

export interface ListenFlags {
  port: number;
  host: string;
  path: string | undefined;
  secretFiles: readonly string[];
  isVerifying: boolean;
  toleranceMs: number;
  forward: URL | undefined;
  /** Types of events to show; undefined: all. */
  events: readonly string[] | undefined;
  /** Number of events after which to stop; Infinity: no limit. */
  count: number;
  /** Time after which to stop; undefined: no limit. */
  timeoutMs: number | undefined;
}

/** `timeoutMs` is the parsed --timeout. */
export function readListenFlags(
  { flags, globalFlags }: Pick<CommandLine, "flags" | "globalFlags">,
  timeoutMs: number,
  faults: Fault[],
): ListenFlags {
  const text = (name: string) => (typeof flags[name] === "string" ? flags[name] : undefined);
  const whole = (name: string, [least, most]: readonly [number, number]): number | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (number >= least && number <= most) return number;
    const message = `received ${JSON.stringify(given)}; expected an integer from ${least} to ${most}`;
    faults.push({ where: `--${name}`, message });
    return undefined;
  };
  for (const [name, message] of MEANINGLESS) {
    if (globalFlags[name] !== undefined) faults.push({ where: `--${kebab(name)}`, message });
  }
  const secretFiles = Array.isArray(flags.secretFile) ? flags.secretFile.map(String) : [];
  const isVerifying = flags.verify !== false;
  if (!isVerifying && secretFiles.length > 0) {
    faults.push({ where: "--no-verify", message: "cannot be used with --secret-file; remove one of them" });
  }
  const port = whole("port", [0, 65_535]) ?? DEFAULT_PORT;
  return {
    port,
    host: text("host") ?? DEFAULT_HOST,
    path: readPath(text("path"), faults),
    secretFiles,
    isVerifying,
    toleranceMs: (whole("tolerance", [0, 999_999_999]) ?? DEFAULT_TOLERANCE_SECONDS) * 1000,
    forward: readForward(text("forward"), port, faults),
    events: readEvents(text("events"), faults),
    count: whole("count", [1, 1_000_000]) ?? Number.POSITIVE_INFINITY,
    // Ignore a profile's timeout: it is meant for replies, and would stop a command that should keep running.
    timeoutMs: globalFlags.timeout === undefined ? undefined : timeoutMs,
  };
}

const MEANINGLESS = [
  [
    "baseUrl",
    "is the service address, which this command does not use; give --host and --port to choose where it listens",
  ],
  ["retries", "this command sends no requests; the service retries its callbacks"],
] as const;

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function readPath(text: string | undefined, faults: Fault[]): string | undefined {
  if (text === undefined || /^\/[\w.~!$&'()*+,;=:@%/-]*$/.test(text)) return text;
  faults.push({ where: "--path", message: `received ${JSON.stringify(text)}; expected a path such as /callbacks` });
  return undefined;
}

function readForward(text: string | undefined, port: number, faults: Fault[]): URL | undefined {
  if (text === undefined) return undefined;
  // The address is not quoted: it may contain a password.
  const refuse = (message: string) => void faults.push({ where: "--forward", message });
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.password === "";
  if (!isUsable) {
    return refuse("expected an http or https URL without credentials, such as http://127.0.0.1:3000/callbacks");
  }
  if (isLoopback(url.origin) && url.port === String(port)) {
    return refuse("is this command's own address: events would loop forever");
  }
  return url;
}

function readEvents(text: string | undefined, faults: Fault[]): string[] | undefined {
  if (text === undefined) return undefined;
  const types = text.split(",").map((type) => type.trim());
  if (types.every((type) => /^[\w.-]*\*?$/.test(type) && type !== "")) return types;
  const message = `received ${JSON.stringify(text)}; expected types such as voice.tts_call.finalized,voice.tts_batch.*`;
  faults.push({ where: "--events", message });
  return undefined;
}

/** Whether --events includes the type. */
export function isWanted(type: string, events: readonly string[] | undefined): boolean {
  return (
    events === undefined ||
    events.some((wanted) => (wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted))
  );
}
