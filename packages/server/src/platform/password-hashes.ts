// Hashes passwords with scrypt and OWASP's parameters: 16 MiB and some 100 ms each, in a thread of the pool that file access
// and DNS also need. Callers must limit how many run at once.

import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** Parameters of scrypt (RFC 7914): cost, block size and parallelization. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export const defaultPasswordCost: PasswordCost = { N: 2 ** 14, r: 8, p: 5 };

const KEY_BYTES = 32;
const SALT_BYTES = 16;
const MOST_MEMORY = 64 * 1024 * 1024;

/** Returns `scrypt$16384$8$5$<salt>$<hash>`. */
export async function hashPassword(password: string, cost = defaultPasswordCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, cost, KEY_BYTES);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Returns whether the password has the hash. Without a hash, takes as long as with a hash of cost `costOfNone`. */
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

function derive(password: string, salt: Buffer, cost: PasswordCost, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { ...cost, maxmem: MOST_MEMORY }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}
