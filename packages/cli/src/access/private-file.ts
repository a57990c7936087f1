import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { ConfigurationError } from "../errors.ts";

type JsonRecord = Readonly<Record<string, unknown>>;

/** Reads a JSON object from a file that holds secrets; undefined when there is none. One that others can read is refused. */
export function readPrivateJson(path: string): JsonRecord | undefined {
  const file = openIfPresent(path);
  if (file === undefined) return undefined;
  try {
    refuseLooseMode(path, fstatSync(file).mode);
    return parseObject(path, readFileSync(file, "utf8"));
  } finally {
    closeSync(file);
  }
}

/** Reads a JSON object from a file without secrets; undefined when there is none. */
export function readJson(path: string): JsonRecord | undefined {
  const file = openIfPresent(path);
  if (file === undefined) return undefined;
  try {
    return parseObject(path, readFileSync(file, "utf8"));
  } finally {
    closeSync(file);
  }
}

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new ConfigurationError("configuration_unreadable", `${path} cannot be read (${String(code)})`, [
      "Check who owns the file and its folder.",
    ]);
  }
}

function refuseLooseMode(path: string, mode: number): void {
  // Windows has no such bits: what Node shows there says nothing about who can read the file.
  if (process.platform === "win32" || (mode & 0o077) === 0) return;
  const octal = (mode & 0o777).toString(8).padStart(4, "0");
  throw new ConfigurationError(
    "credentials_exposed",
    `${path} holds credentials and other users of this machine may read it (mode ${octal}; expected 0600)`,
    [`Run \`chmod 600 ${path}\`, and replace the credential if someone may have read it.`],
  );
}

function parseObject(path: string, text: string): JsonRecord {
  const value = parse(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonRecord;
  // The parser's own message quotes the text, which may hold a secret.
  throw new ConfigurationError("configuration_invalid", `${path} does not hold a JSON object`, [
    "Mend the file or remove it.",
  ]);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
