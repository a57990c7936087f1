// Secrets that sign a tenant's callbacks: created on first use, rotated with an overlap.

import { randomBytes } from "node:crypto";
import { SealedError, type SecretBox } from "../../platform/secret-box.ts";
import type { Transaction } from "../../store/store.ts";
import { bindCallbackSecret } from "../tenancy/credentials.ts";
import { insertCallbackSecret, listCallbackSecrets, retireCallbackSecrets } from "./rows.ts";
import { SIGNING_SECRET_BYTES, toSigningSecret } from "./rules.ts";

interface Owner {
  readonly tenantId: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * The tenant's valid secrets, `whsec_…`, newest first. Creates one if the tenant has none. Throws a `SealedError` if the
 * newest cannot be opened; rotating the secret fixes that.
 */
export async function readCallbackSecrets(tx: Transaction, box: SecretBox, owner: Owner): Promise<string[]> {
  const [newest, ...older] = await listCallbackSecrets(tx, owner.tenantId, owner.now);
  if (newest === undefined) return [await addSecret(tx, box, owner)];
  return [
    box.open(newest, bindCallbackSecret(owner.tenantId)),
    ...older.flatMap((sealed) => tryOpen(box, sealed, owner)),
  ];
}

/** Skips an older secret that cannot be opened: it may have been rotated because its key was lost. */
function tryOpen(box: SecretBox, sealed: string, owner: Owner): string[] {
  try {
    return [box.open(sealed, bindCallbackSecret(owner.tenantId))];
  } catch (error) {
    if (error instanceof SealedError) return [];
    throw error;
  }
}

/** Adds a new secret. The previous one also signs for another `overlapMs`; any older one is removed now. */
export async function rotateCallbackSecret(
  tx: Transaction,
  box: SecretBox,
  { overlapMs, ...owner }: Owner & { overlapMs: number },
): Promise<void> {
  await retireCallbackSecrets(tx, owner.tenantId, owner.now + overlapMs);
  await addSecret(tx, box, owner);
}

/** Gives a recreated tenant its former secret. */
export async function restoreCallbackSecret(
  tx: Transaction,
  box: SecretBox,
  { secret, ...owner }: Owner & { secret: string },
): Promise<void> {
  await insertCallbackSecret(tx, { ...owner, sealedSecret: box.seal(secret, bindCallbackSecret(owner.tenantId)) });
}

async function addSecret(tx: Transaction, box: SecretBox, owner: Owner): Promise<string> {
  const secret = toSigningSecret(randomBytes(SIGNING_SECRET_BYTES));
  await restoreCallbackSecret(tx, box, { ...owner, secret });
  return secret;
}
