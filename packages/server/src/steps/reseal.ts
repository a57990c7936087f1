import { SealedError, type SecretBox } from "../platform/secret-box.ts";
import { bindCallbackSecret, bindCarrier, bindPassword } from "../rules/sealed-bindings.ts";
import { type SealedColumn, type SealedRow, sealedColumns } from "../store/sealed-secrets.ts";
import { PAGE_ROWS, type Transaction, type Work } from "../store/store.ts";

export interface Resealed {
  readonly count: number;
  /** Why each secret did not open, and whose it is. */
  readonly unopened: readonly string[];
}

/**
 * Seals with the box's first key whatever was sealed with another that it opens with, a page in each call of `run`. It may
 * run beside servers, and again: what is sealed with the first key already is left alone.
 */
export async function reseal(
  run: <T>(work: Work<T>) => Promise<T>,
  { box, now }: { box: SecretBox; now: number },
): Promise<Resealed> {
  const prefix = box.findPrefix();
  if (prefix === undefined) return { count: 0, unopened: [] };
  let count = 0;
  const unopened: string[] = [];
  for (const column of sealedColumns) {
    let after: SealedRow | undefined;
    do {
      const page = { prefix, now, after, limit: PAGE_ROWS };
      const done = await run(async (tx) => {
        const rows = await column.list(tx, page);
        return { ...(await resealRows(tx, { box, column, rows })), next: rows[PAGE_ROWS - 1] };
      });
      count += done.count;
      unopened.push(...done.unopened);
      after = done.next;
    } while (after !== undefined);
  }
  return { count, unopened };
}

interface Owner {
  /** For people. */
  readonly name: string;
  readonly binding: string;
}

const ownersOf: Readonly<Record<SealedColumn["table"], (row: SealedRow) => Owner>> = {
  sip_users: ({ key: [, id], tenantId }) => ({
    name: `the password of SIP user ${id} of tenant ${tenantId}`,
    binding: bindPassword(tenantId, Number(id)),
  }),
  callback_secrets: ({ tenantId }) => ({
    name: `a callback secret of tenant ${tenantId}`,
    binding: bindCallbackSecret(tenantId),
  }),
  carriers({ key, tenantId, channel }) {
    const [name, carried] = [String(key[0]), String(channel)];
    return { name: `the carrier ${name}, for ${carried}`, binding: bindCarrier({ name, tenantId, channel: carried }) };
  },
};

async function resealRows(
  tx: Transaction,
  { box, column, rows }: { box: SecretBox; column: SealedColumn; rows: readonly SealedRow[] },
): Promise<Resealed> {
  let count = 0;
  const unopened: string[] = [];
  for (const row of rows) {
    const { name, binding } = ownersOf[column.table](row);
    const secret = open(box, row.sealed, binding);
    if (secret instanceof SealedError) unopened.push(`${name}: ${secret.message}`);
    else if (await column.replace(tx, row, box.seal(secret, binding))) count += 1;
  }
  return { count, unopened };
}

function open(box: SecretBox, sealed: string, binding: string): string | SealedError {
  try {
    return box.open(sealed, binding);
  } catch (error) {
    if (error instanceof SealedError) return error;
    throw error;
  }
}
