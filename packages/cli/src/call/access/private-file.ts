/** Reads the files that decide where credentials are sent. Refuses files that other users own or can read. */

import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { ConfigurationError } from "../../failures/errors.ts";
import { readErrorCode } from "../../failures/thrown.ts";

export type JsonRecord = Readonly<Record<string, unknown>>;

/** Reads a JSON object from a file that holds secrets; undefined if there is none. Refuses a file that others can read. */
export function readPrivateJson(path: string): JsonRecord | undefined {
  return readObject(path, (stats) => refuseLooseMode(path, stats.mode));
}

/** Reads a JSON object from a file without secrets; undefined when there is none. */
export function readJson(path: string): JsonRecord | undefined {
  return readObject(path, () => {});
}

/** Refuses a folder of secrets that other users may enter. A missing folder is accepted. */
export function refuseLooseFolder(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  refuseForeignOwner(path, stats.uid);
  if (isWindows || (stats.mode & 0o077) === 0) return;
  throw new ConfigurationError(
    "credentials_exposed",
    `${path} holds credentials, but other users of this machine can open it (mode ${octal(stats.mode)}; expected 0700)`,
    [`Run \`chmod 700 ${path}\`.`],
  );
}

/** Refuses a file of another user: the owner of a file controls its content. */
export function refuseForeignOwner(path: string, owner: number, self = process.geteuid?.()): void {
  if (self === undefined || owner === self) return;
  throw new ConfigurationError(
    "configuration_not_owned",
    `${path} belongs to another user (${owner}; you are ${self})`,
    ["Use a folder of your own: set XDG_CONFIG_HOME, or remove the file."],
  );
}

// Windows has no mode bits: the mode that Node reports there does not say who can read a file.
const isWindows = process.platform === "win32";

function readObject(path: string, check: (stats: Stats) => void): JsonRecord | undefined {
  const file = openIfPresent(path);
  if (file === undefined) return undefined;
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw notAFile(path, "something other than a file");
    refuseForeignOwner(path, stats.uid);
    check(stats);
    return parseObject(path, readFileSync(file, "utf8"));
  } finally {
    closeSync(file);
  }
}

/** Do not follow a symbolic link, and do not block on a pipe. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, FLAGS);
  } catch (error) {
    const code = readErrorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    if (code === "ELOOP" || code === "EMLINK") throw notAFile(path, "a symbolic link");
    throw new ConfigurationError("configuration_unreadable", `${path} cannot be read (${String(code)})`, [
      "Check who owns the file and its folder.",
    ]);
  }
}

function notAFile(path: string, found: string): ConfigurationError {
  return new ConfigurationError("configuration_not_a_file", `${path} is ${found}; expected a file of your own`, [
    "Replace it with a regular file, or set XDG_CONFIG_HOME to the folder that holds one.",
  ]);
}

function refuseLooseMode(path: string, mode: number): void {
  if (isWindows || (mode & 0o077) === 0) return;
  throw new ConfigurationError(
    "credentials_exposed",
    `${path} holds credentials, but other users of this machine can read it (mode ${octal(mode)}; expected 0600)`,
    [`Run \`chmod 600 ${path}\`, and replace the credential if someone may have read it.`],
  );
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}

function parseObject(path: string, text: string): JsonRecord {
  const value = parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonRecord;
  // The parser's own message quotes the text, which may hold a secret.
  throw new ConfigurationError("configuration_invalid", `${path} does not hold a JSON object`, [
    "Correct the file or remove it.",
  ]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
