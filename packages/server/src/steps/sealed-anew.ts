import { isSealedWith, SealedError, type SecretBox } from "../platform/secret-box.ts";
import { bindCallbackSecret, bindCarrier, bindPassword } from "../rules/sealed-bindings.ts";
import {
  listSealedCallbackSecrets,
  listSealedCarriers,
  listSealedPasswords,
  replaceSealedCallbackSecret,
  replaceSealedCarrier,
  replaceSealedPassword,
} from "../store/sealed-secrets.ts";
import type { Transaction } from "../store/store.ts";

/**
 * Seals with `key`, which `box` seals with, whatever was sealed with another key that `box` opens with. Returns how many
 * secrets that were. Throws for the first that does not open, and says whose it is.
 */
export async function sealAnew(
  tx: Transaction,
  { box, key, now }: { box: SecretBox; key: Buffer; now: number },
): Promise<number> {
  let count = 0;
  const reseal = (sealed: string, binding: string, owner: string): string | undefined => {
    if (isSealedWith(key, sealed)) return undefined;
    count += 1;
    return box.seal(open(box, { sealed, binding, owner }), binding);
  };
  for (const { sealed, ...user } of await listSealedPasswords(tx)) {
    const { tenantId, userId } = user;
    const owner = `the password of SIP user ${userId} of tenant ${tenantId}`;
    const anew = reseal(sealed, bindPassword(tenantId, userId), owner);
    if (anew !== undefined) await replaceSealedPassword(tx, { ...user, sealed: anew });
  }
  for (const { tenantId, secretId, sealed } of await listSealedCallbackSecrets(tx, now)) {
    const anew = reseal(sealed, bindCallbackSecret(tenantId), `a callback secret of tenant ${tenantId}`);
    if (anew !== undefined) await replaceSealedCallbackSecret(tx, { secretId, sealed: anew });
  }
  for (const { sealed, ...carrier } of await listSealedCarriers(tx)) {
    const { name, channel } = carrier;
    const anew = reseal(sealed, bindCarrier(carrier), `the carrier ${name}, for ${channel}`);
    if (anew !== undefined) await replaceSealedCarrier(tx, { name, sealed: anew });
  }
  return count;
}

function open(box: SecretBox, { sealed, binding, owner }: { sealed: string; binding: string; owner: string }): string {
  try {
    return box.open(sealed, binding);
  } catch (error) {
    if (error instanceof SealedError) throw new SealedError(`${owner}: ${error.message}`, { cause: error });
    throw error;
  }
}
