/** Compares a list of merchants with the existing merchants, shows the changes, and asks for confirmation. */
import type { ReviewedRows, RowReview } from "../../bulk/bulk-job.ts";
import { CliError } from "../../failures/errors.ts";
import { isObject, readField } from "../../output/fields.ts";
import { printable } from "../../output/printable.ts";
import { formatCount } from "../../output/text/quantities.ts";
import { EXIT } from "../../process/exit-codes.ts";

/** Maximum number of merchants to show individually. */
const MOST_SHOWN = 20;

/** @throws {CliError} If nobody can be asked about changes, or the answer is to change nothing. */
export async function reviewChanges({ rows, read, asker, flags }: RowReview): Promise<ReviewedRows> {
  const merchants = await read("listMerchants", new Map());
  const present = new Map<unknown, object>();
  for (const merchant of Array.isArray(merchants) ? merchants : []) {
    if (isObject(merchant)) present.set(merchant.merchantId, merchant);
  }
  const shown: string[] = [];
  const counts = { created: 0, changed: 0, same: 0 };
  for await (const { body } of rows()) {
    const before = present.get(readField(body, "merchantId"));
    const changes = before === undefined ? [] : findChanges(before, body);
    const kind = before === undefined ? "created" : changes.length > 0 ? "changed" : "same";
    counts[kind] += 1;
    if (kind !== "same" && shown.length < MOST_SHOWN) shown.push(describe(body, changes));
    // compare a later row of the same merchant with the values of this row
    present.set(readField(body, "merchantId"), { ...before, ...body });
  }
  const { created, changed, same } = counts;
  if (created + changed === 0) return { leftOut: new Set() };
  const more = created + changed - shown.length;
  const lines = [...shown, ...(more > 0 ? [`… and ${formatCount(more)} more`] : [])].join("\n");
  const said = `${formatCount(created)} to create, ${formatCount(changed)} to change, ${formatCount(same)} unchanged`;
  if (flags.global.yes) return { leftOut: new Set(), remark: `${said}.` };
  const ask = asker();
  if (ask === undefined) {
    throw new CliError(EXIT.inputNeeded, "confirmation_needed", `${said}; nothing was imported`, {
      hints: ["Give -y to import them, or --dry-run to only check the file."],
    });
  }
  ask.tell(lines);
  ask.tell(`${said}.`);
  if (await ask.confirm("Go ahead?", false)) return { leftOut: new Set() };
  throw new CliError(EXIT.interrupted, "not_confirmed", "not confirmed; nothing was imported", {
    hints: ["Give -y to skip the question."],
  });
}

interface Change {
  field: string;
  old: unknown;
  now: unknown;
}

function findChanges(before: object, body: object): Change[] {
  return Object.entries(body).flatMap(([field, now]) => {
    const old = readPresent(before, field);
    return old === now ? [] : [{ field, old, now }];
  });
}

/** Reads the current value of a field. The view has limits and balances in separate objects. */
function readPresent(merchant: object, field: string): unknown {
  const own = readField(merchant, field);
  return own ?? readField(merchant, `limits.${field}`) ?? readField(merchant, `credits.${field}`);
}

function describe(body: object, changes: readonly Change[]): string {
  const name = `${readField(body, "merchantId")}`;
  if (changes.length === 0) return printable(`${name}: new`);
  const parts = changes.map(({ field, old, now }) => `${field} ${JSON.stringify(old)} → ${JSON.stringify(now)}`);
  return printable(`${name}: ${parts.join(", ")}`);
}
