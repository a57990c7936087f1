/**
 * The Idempotency-Keys of the last writes, on disk before each is sent: a user whose command was killed before it
 * printed its key finds it there, and repeats the command with it. Never holds a body, a contact or a secret.
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
/** Number of full files that are kept. */
const MOST_FORMER = 8;
const FORMER = /^keys\.\w+-\d+\.jsonl$/;

export interface SentKeys {
  /** Wraps the hooks, recording the call's key before they run. */
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

/** Ignores a home that cannot be written, so that the call is still sent: if it fails, it names its key itself. */
function note(folder: string, line: object): void {
  try {
    makeFolder(folder);
    const path = join(folder, "keys.jsonl");
    // concurrent appends go before or after it: a line is one write, and no file is rewritten
    const file = openSync(path, "a", 0o600);
    try {
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
      if (fstatSync(file).size > MOST_BYTES) putAside(path, fstatSync(file).ino);
    } finally {
      closeSync(file);
    }
  } catch {
    // see above
  }
}

/** Renames a full file, so that the next key starts a new one; processes that have it open still write to it. */
function putAside(path: string, ino: number): void {
  // another process has already renamed it
  if (statSync(path).ino !== ino) return;
  const folder = dirname(path);
  renameSync(path, join(folder, `keys.${new Date().toISOString().replace(/\W/g, "")}-${process.pid}.jsonl`));
  const former = readdirSync(folder).filter((name) => FORMER.test(name));
  // the names sort by time
  for (const name of former.sort().slice(0, -MOST_FORMER)) rmSync(join(folder, name), { force: true });
}
