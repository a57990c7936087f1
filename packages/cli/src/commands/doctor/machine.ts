/** Checks that need no network: Node.js, the configuration files and their credential. */
import { accessSync, closeSync, constants, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Access } from "../../call/access/access.ts";
import { readJson, readPrivateJson } from "../../call/access/private-file.ts";
import { type AccessFlags, locateAccess, type Origin } from "../../call/access/resolve-access.ts";
import { CliError } from "../../failures/errors.ts";
import { adviseWrite } from "../../failures/system-faults.ts";
import { readErrorCode } from "../../failures/thrown.ts";
import type { Settings } from "../../process/config.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { type Check, createResults } from "./check.ts";

const OLDEST_NODE = [20, 19] as const;

/** @param version - As in `process.versions.node`: `22.1.0`. */
export function checkNode(version: string): Check {
  const { ok, fail } = createResults("node", EXIT.internal);
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const isSupported = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  if (isSupported) return ok(`Node.js ${version}`);
  return fail(`Node.js ${version}; expected ${OLDEST_NODE.join(".")} or newer`, "Install a newer Node.js: nodejs.org.");
}

export function checkConfiguration({ folder }: Settings): Check {
  const { ok, fail } = createResults("configuration", EXIT.auth);
  try {
    const read = [readJson(join(folder, "config.json")), readPrivateJson(join(folder, "credentials.json"))];
    const isPresent = read.some((content) => content !== undefined);
    return ok(
      isPresent
        ? `${folder} is readable and private`
        : `no profiles in ${folder}; environment variables or the demo server can be used`,
    );
  } catch (error) {
    return failed(error, fail);
  }
}

/** Checks whether msgctl's folders can be written. If not, it only warns, since single calls do not need them. */
export function checkFolders({ folder, cacheFolder }: Settings): Check {
  const { ok, warn } = createResults("folders", EXIT.usage);
  for (const path of [folder, cacheFolder]) {
    const error = findWriteFault(path);
    if (error === undefined) continue;
    const needs = path === folder ? "send bulk, consent import and auth login need it" : "completion needs it";
    return warn(`${path} cannot be written (${readErrorCode(error)}): ${needs}`, adviseWrite(error));
  }
  return ok(`${folder} and ${cacheFolder} can be written`);
}

/** Tries to create a file in the folder; if there is no folder yet, checks whether it could be created. */
function findWriteFault(folder: string): unknown {
  const file = join(folder, `doctor.${crypto.randomUUID()}`);
  try {
    const opened = openSync(file, "wx", 0o600);
    try {
      // write content too: on a full disk an empty file can still be created
      writeFileSync(opened, "doctor", { flush: true });
    } finally {
      closeSync(opened);
      rmSync(file, { force: true });
    }
    return undefined;
  } catch (error) {
    const parent = dirname(folder);
    return readErrorCode(error) === "ENOENT" && parent !== folder ? findEntryFault(parent) : error;
  }
}

function findEntryFault(path: string): unknown {
  try {
    accessSync(path, constants.W_OK);
    return undefined;
  } catch (error) {
    const parent = dirname(path);
    return readErrorCode(error) === "ENOENT" && parent !== path ? findEntryFault(parent) : error;
  }
}

export interface Located {
  access: Access | undefined;
  check: Check;
}

export function checkCredentialSource(flags: AccessFlags, settings: Settings, cwd: string): Located {
  const { ok, fail } = createResults("credential source", EXIT.auth);
  try {
    const { access, origin } = locateAccess(flags, settings, cwd);
    return { access, check: ok(`${formatOrigin(origin)}, for ${access.baseUrl}`) };
  } catch (error) {
    return { access: undefined, check: failed(error, fail) };
  }
}

function formatOrigin({ source, profile, location }: Origin): string {
  if (profile === undefined) return `the environment (${location})`;
  return `profile ${profile}${source === "flag" ? " (--profile)" : ""} in ${location}`;
}

/** Turns a CliError into a failed check, with its message and first hint. */
export function failed(error: unknown, fail: (message: string, fix: string | null) => Check): Check {
  if (!(error instanceof CliError)) throw error;
  return fail(error.message, error.details.hints?.[0] ?? null);
}
