/**
 * Records the Idempotency-Key of each write on disk before the write is sent. If a command is killed before it prints its
 * key, the user finds the key there and can repeat the command safely. Never records a body, a contact or a secret.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Hooks } from "@msgctl/sdk";
import type { OperationRecord } from "../model/record.ts";
import type { Settings } from "../process/config.ts";
import type { Access } from "./access/access.ts";
import { makeFolder } from "./access/make-folder.ts";

/** About two hundred keys. */
const MOST_BYTES = 32 * 1024;
/** Number of full files to keep. */
const MOST_FORMER = 8;
const FORMER = /^keys\.\w+-\d+\.jsonl$/;

export interface SentKeys {
  /** Wraps the hooks so that the call's key is recorded before they run. */
  around(hooks: Hooks | undefined): Hooks;
  /** The key that the call was sent with; undefined before that. */
  key(): string | undefined;
}

export interface Writing {
  record: Pick<OperationRecord, "group" | "name">;
  access: Pick<Access, "baseUrl">;
  settings: Pick<Settings, "folder">;
}

/** Records the key of one call in keys.jsonl: a line per call, with the time, the command, the service and the key. */
export function noteSentKeys({
  record: { group, name },
  access: { baseUrl },
  settings: { folder },
}: Writing): SentKeys {
  let key: string | undefined;
  return {
    key: () => key,
    around: (hooks) => ({
      ...hooks,
      onRequest(event) {
        const { idempotencyKey } = event.call;
        if (event.attempt === 1 && idempotencyKey !== undefined) {
          key = idempotencyKey;
          note(folder, { at: new Date().toISOString(), command: `${group} ${name}`, baseUrl, idempotencyKey });
        }
        return hooks?.onRequest?.(event);
      },
    }),
  };
}

/** Ignores a home that cannot be written, so that the call is still sent. If the call fails, its error names the key. */
function note(folder: string, line: object): void {
  try {
    makeFolder(folder);
    const path = join(folder, "keys.jsonl");
    // safe against concurrent appends: each line is a single write, and no file is rewritten
    const file = openSync(path, "a", 0o600);
    try {
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
      if (fstatSync(file).size > MOST_BYTES) putAside(path, fstatSync(file).ino);
    } finally {
      closeSync(file);
    }
  } catch {
    // ignored, see the function's comment
  }
}

/** Renames a full file, so that the next key starts a new one. Processes that have the full file open still write to it. */
function putAside(path: string, ino: number): void {
  // another process has already renamed it
  if (statSync(path).ino !== ino) return;
  const folder = dirname(path);
  renameSync(path, join(folder, `keys.${new Date().toISOString().replace(/\W/g, "")}-${process.pid}.jsonl`));
  const former = readdirSync(folder).filter((name) => FORMER.test(name));
  // the names sort chronologically
  for (const name of former.sort().slice(0, -MOST_FORMER)) rmSync(join(folder, name), { force: true });
}
