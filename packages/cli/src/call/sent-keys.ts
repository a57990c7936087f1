/**
 * The Idempotency-Keys of the last writes, on disk before each is sent: whoever's command was killed before it could say its
 * key finds it there, and repeats the command under it. Never a body, a contact or a secret.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
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

/** Of some two hundred keys. */
const MOST_BYTES = 32 * 1024;
/** Full files that are kept. */
const MOST_FORMER = 8;
const FORMER = /^keys\.\w+-\d+\.jsonl$/;

export interface SentKeys {
  /** Those hooks, and before them the note of the call's key. */
  around(hooks: Hooks | undefined): Hooks;
  /** The key that the call went out under; undefined before that. */
  key(): string | undefined;
}

export interface Writing {
  record: Pick<OperationRecord, "group" | "name">;
  access: Pick<Access, "baseUrl">;
  settings: Pick<Settings, "folder">;
}

/** Notes the key of one call in keys.jsonl: the time, the command, the service and the key, a line a call. */
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

/** A home that cannot be written keeps nobody from sending: a call that fails names its key itself. */
function note(folder: string, line: object): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, "keys.jsonl");
    // what others append at the same time goes before or behind it: a line is one write, and no file is rewritten
    const file = openSync(path, "a", 0o600);
    try {
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
      if (fstatSync(file).size > MOST_BYTES) putAside(path, fstatSync(file).ino);
    } finally {
      closeSync(file);
    }
  } catch {
    // as said above
  }
}

/** Gives a full file a name of its own, and the next key a new file; whoever has it open writes on into it. */
function putAside(path: string, ino: number): void {
  // somebody else has done so
  if (statSync(path).ino !== ino) return;
  const folder = dirname(path);
  renameSync(path, join(folder, `keys.${new Date().toISOString().replace(/\W/g, "")}-${process.pid}.jsonl`));
  const former = readdirSync(folder).filter((name) => FORMER.test(name));
  // their names begin with the time
  for (const name of former.sort().slice(0, -MOST_FORMER)) rmSync(join(folder, name), { force: true });
}
