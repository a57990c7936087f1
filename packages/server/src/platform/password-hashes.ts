// Hashes of passwords, by scrypt with one of the settings that OWASP names: 16 MiB and some 100 ms each. A few at a time, in
// threads of the pool that files and DNS need as well.

import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** Settings of scrypt: its memory and its work in powers of two, the size of its blocks, and how often it is done. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export const defaultPasswordCost: PasswordCost = { N: 2 ** 14, r: 8, p: 5 };

const KEY_BYTES = 32;
const SALT_BYTES = 16;
const MOST_MEMORY = 64 * 1024 * 1024;
/** Hashes made at a time, and those that wait for it. */
const AT_ONCE = 2;
const MOST_WAITING = 16;

/** Too many passwords are being checked. */
export class TooManyPasswords extends Error {
  override readonly name = "TooManyPasswords";
}

/** Returns `scrypt$16384$8$5$<salt>$<hash>`. Throws `TooManyPasswords`. */
export async function hashPassword(password: string, cost = defaultPasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, cost, KEY_BYTES);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Whether the password has the hash. Where there is none it takes as long as one of that cost. Throws `TooManyPasswords`. */
export async function isPassword(
  password: string,
  hash: string | null,
  costOfNone = defaultPasswordCost,
): Promise<boolean> {
  const { salt, key, cost } = readHash(hash) ?? { ...none, cost: costOfNone };
  const derived = await derive(password, salt, cost, key.length);
  return timingSafeEqual(derived, key) && hash !== null;
}

const none = { salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) };

function readHash(hash: string | null): { salt: Buffer; key: Buffer; cost: PasswordCost } | undefined {
  const [form, N, r, p, salt = "", key = ""] = hash?.split("$") ?? [];
  if (form !== "scrypt") return undefined;
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, "base64url"), key: Buffer.from(key, "base64url") };
}

let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, salt: Buffer, cost: PasswordCost, length: number): Promise<Buffer> {
  if (running < AT_ONCE) running += 1;
  else if (waiting.length >= MOST_WAITING) throw new TooManyPasswords("too many passwords are being checked");
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await new Promise((resolve, reject) => {
      scrypt(password, salt, length, { ...cost, maxmem: MOST_MEMORY }, (error, key) =>
        error === null ? resolve(key) : reject(error),
      );
    });
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
