// The credential that `msgd serve --dev` leaves for tools in the same folder.

import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Credential } from "../target/send.ts";
import { isLoopback } from "./base-url.ts";
import { Refusal } from "./refusal.ts";

export interface DemoCredential extends Credential {
  readonly baseUrl: string;
}

/**
 * Reads the credential; undefined if no demo server was ever started.
 * @throws {Refusal} If another user could have written the file or can read it, or if it points to another machine.
 */
export function readDemoCredential(cwd: string): DemoCredential | undefined {
  const path = join(cwd, ".msgd", "demo-credential.json");
  const text = readOwnFile(path);
  if (text === undefined) return undefined;
  const content = parseObject(text);
  if (content === undefined) throw new Refusal(`${path} does not hold a JSON object`);
  const { baseUrl, apiKey, apiSecret } = content;
  if (typeof baseUrl !== "string" || typeof apiKey !== "string" || typeof apiSecret !== "string") {
    throw new Refusal(`${path} lacks baseUrl, apiKey or apiSecret`);
  }
  // a folder that somebody else has made must not direct writes to another server
  if (!isLoopback(baseUrl)) {
    throw new Refusal(`${path} points to ${JSON.stringify(baseUrl)}, which is not on this machine`);
  }
  return { baseUrl, apiKey, apiSecret };
}

/** Opens the file without following a link, and without blocking if it is a pipe. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function readOwnFile(path: string): string | undefined {
  const file = openIfPresent(path);
  if (file === undefined) return undefined;
  try {
    refuseOpenToOthers(path, fstatSync(file));
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, FLAGS);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ELOOP" || code === "EMLINK") {
      throw new Refusal(`${path} is a symbolic link; expected a file of your own`);
    }
    throw new Refusal(`${path} cannot be read (${code})`);
  }
}

function refuseOpenToOthers(path: string, stats: Stats): void {
  if (!stats.isFile()) throw new Refusal(`${path} is something other than a file; expected a file of your own`);
  const self = process.geteuid?.();
  // Windows has no owners and permission bits to check
  if (self === undefined) return;
  if (stats.uid !== self) throw new Refusal(`${path} belongs to another user (${stats.uid}; you are ${self})`);
  if ((stats.mode & 0o077) === 0) return;
  const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
  throw new Refusal(
    `${path} holds credentials and other users of this machine may read it (mode ${mode}; expected 0600)`,
  );
}

/** Parses an object. The parser's own message is dropped: it quotes the text, which may contain a secret. */
function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
