/**
 * Keeps the ids that list commands have shown, for the completion scripts. There is one file per profile; each line has the
 * name of a field and then its ids, newest first. Scripts read the file directly, so it has no word that a shell would
 * interpret. It has only fields that the contract marks as ids, never a contact.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GlobalOptions } from "../flags/global-options.ts";
import type { OperationRecord } from "../model/record.ts";
import type { Settings } from "../process/config.ts";
import type { Access } from "./access/access.ts";
import { makeFolder } from "./access/make-folder.ts";
import { DEMO_PROFILE } from "./access/profiles.ts";
import { profileInUse } from "./access/resolve-access.ts";

export interface Listing {
  record: Pick<OperationRecord, "listed">;
  access: Access;
  options: Pick<GlobalOptions, "profile">;
  settings: Settings;
}

const SAFE_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const SAFE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const MOST_IDS = 100;

/** The file name that stands for a credential from environment variables. */
const ENVIRONMENT = "environment";

/** Keeps the ids in a list command's answer. Never throws: without the file, completion just offers no ids. */
export function keepListedIds(data: unknown, { record: { listed }, access, options, settings }: Listing): void {
  if (listed === undefined) return;
  try {
    const rows: unknown[] = Array.isArray(data) ? data : [];
    const fresh = new Map(listed.map((field) => [field, rows.map((row) => readId(row, field)).filter(isSafe)]));
    if ([...fresh.values()].every((ids) => ids.length === 0)) return;
    const environment = settings.apiKey === undefined ? DEMO_PROFILE : ENVIRONMENT;
    const name = profileInUse(options.profile, settings) ?? environment;
    if (!SAFE_NAME.test(name)) return;
    const path = join(settings.cacheFolder, "ids", name);
    const before = read(path);
    const text = formatIds(formatOwner(access), before, fresh);
    if (text !== before) replace(path, text);
  } catch {
    // a full disk or a read-only folder must not make the list command fail
  }
}

function readId(row: unknown, field: string): unknown {
  return typeof row === "object" && row !== null ? (row as Record<string, unknown>)[field] : undefined;
}

function isSafe(id: unknown): id is string {
  return typeof id === "string" && SAFE_ID.test(id);
}

/** Formats the first line, which names the service and account: if they differ, the old ids are dropped. Scripts skip it. */
function formatOwner({ baseUrl, apiKey }: Access): string {
  return `# ${JSON.stringify([baseUrl, apiKey.slice(0, "mkt_live_abcd".length)])}`;
}

function formatIds(owner: string, before: string, fresh: ReadonlyMap<string, readonly string[]>): string {
  const [firstLine, ...lines] = before.split("\n");
  const kept = (firstLine === owner ? lines : []).filter((line) => line !== "").map((line) => line.split(" "));
  const known = new Map(kept.map(([field = "", ...ids]) => [field, ids.filter(isSafe)]));
  for (const [field, ids] of fresh)
    known.set(field, [...new Set([...ids, ...(known.get(field) ?? [])])].slice(0, MOST_IDS));
  return [owner, ...[...known].map(([field, ids]) => [field, ...ids].join(" ")), ""].join("\n");
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Replaces the file atomically, so that a script never reads half of it. Without fsync, since the ids may be lost. */
function replace(path: string, text: string): void {
  const next = `${path}.${process.pid}.new`;
  makeFolder(dirname(path));
  rmSync(next, { force: true });
  writeFileSync(next, text, { flag: "wx", mode: 0o600 });
  renameSync(next, path);
}
