/**
 * The Idempotency-Keys of the last writes, on disk before each is sent: whoever's command was killed before it could say its
 * key finds it there, and repeats the command under it. Never a body, a contact or a secret.
 */
import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Hooks } from "@msgctl/sdk";
import type { Access } from "./access/access.ts";
import type { Settings } from "./config.ts";
import type { OperationRecord } from "./record.ts";

const MOST_BYTES = 32 * 1024;
const KEPT_LINES = 50;

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

/** A home that cannot be written keeps nobody from sending: a call that fails tells its key itself. */
function note(folder: string, line: object): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, "keys.jsonl");
    const file = openSync(path, "a", 0o600);
    try {
      writeFileSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
      if (fstatSync(file).size > MOST_BYTES) shorten(path);
    } finally {
      closeSync(file);
    }
  } catch {
    // as said above
  }
}

function shorten(path: string): void {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .slice(-KEPT_LINES - 1);
  const next = `${path}.${process.pid}.new`;
  writeFileSync(next, lines.join("\n"), { mode: 0o600 });
  renameSync(next, path);
}
