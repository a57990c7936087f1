// Seals secrets that must be read again, such as a phone's password, with a key that is not in the database. Binds them
// to their owner, so that a row copied to another user cannot be opened.

import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const VERSION = "v1";
export const SECRET_KEY_BYTES = 32;
/** Number of characters of a key's hash that identify the key. */
const KEY_ID_LENGTH = 8;
/** The length of the part of a sealed secret that identifies its key. */
export const SEAL_PREFIX_LENGTH = VERSION.length + KEY_ID_LENGTH + 2;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretBox {
  /** Returns the sealed secret, `v1.<key id>.<nonce, text and tag>`. `binding` names the secret's owner. */
  seal(secret: string, binding: string): string;
  /** Returns the secret. Throws a {@link SealedError} if the right key is missing or `binding` differs. */
  open(sealed: string, binding: string): string;
  /** Returns the prefix that newly sealed secrets have; undefined without a key. */
  findPrefix(): string | undefined;
}

const ANEW =
  "create the secret again (msgd provisioning import, msgd callbacks secret --rotate, msgd carriers set, msgd users reset)";

/** Thrown for a secret that cannot be opened. The message says why, without revealing the secret. */
export class SealedError extends Error {
  override readonly name = "SealedError";
}

/** `keys` returns the key to seal with, followed by older keys to open with. It is called at each use and may throw. */
export function createSecretBox(keys: () => readonly Buffer[]): SecretBox {
  return {
    seal(secret, binding) {
      const [key] = keys();
      if (key === undefined) throw new SealedError("there is no secret key to seal with: set MSGD_SECRET_KEY");
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(binding));
      const box = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return prefixOf(key) + box.toString("base64url");
    },
    findPrefix() {
      const [key] = keys();
      return key && prefixOf(key);
    },
    open(sealed, binding) {
      const [version, keyId, text = ""] = sealed.split(".");
      const box = Buffer.from(text, "base64url");
      if (version !== VERSION || box.length < NONCE_BYTES + TAG_BYTES) {
        throw new SealedError(`a sealed secret is damaged: put the database back from a backup, or ${ANEW}`);
      }
      const key = keys().find((candidate) => nameKey(candidate) === keyId);
      if (key === undefined) {
        throw new SealedError(
          `a secret was sealed with key ${keyId}, which is not in MSGD_SECRET_KEY: add it there, or ${ANEW}`,
        );
      }
      try {
        const decipher = createDecipheriv(CIPHER, key, box.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(binding));
        decipher.setAuthTag(box.subarray(-TAG_BYTES));
        return decipher.update(box.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch (error) {
        throw new SealedError(`a sealed secret was changed, or belongs to another user: ${ANEW}`, {
          cause: error,
        });
      }
    },
  };
}

function prefixOf(key: Buffer): string {
  return `${VERSION}.${nameKey(key)}.`;
}

/** Returns a part of the key's hash that distinguishes keys but does not reveal one. */
function nameKey(key: Buffer): string {
  return hash("sha256", key, "hex").slice(0, KEY_ID_LENGTH);
}

/** Parses keys separated by commas. Returns undefined if one is invalid. */
export function parseSecretKeys(text: string): readonly Buffer[] | undefined {
  const keys = text.split(",").map(parseSecretKey);
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

/** Parses a key: base64 of 32 bytes. Returns undefined for anything else. */
export function parseSecretKey(text: string): Buffer | undefined {
  const plain = text.trim();
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(plain)) return undefined;
  const key = Buffer.from(plain, "base64");
  return key.length === SECRET_KEY_BYTES ? key : undefined;
}
