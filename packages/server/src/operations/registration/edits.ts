// Edits of reviewed values. A tenant's credential, which imports a provider's decisions, keeps them; a merchant's would
// keep an approval for something else.

import { Refusal } from "../../rules/refusal.ts";
import { findChanged } from "../../rules/reviewed-edits.ts";
import type { Caller } from "../../steps/operation.ts";

/** The reviewed members that the caller changes, as far as a review must see them. */
export function findEdits<Member extends string>(
  { merchantId }: Caller,
  before: Readonly<Record<Member, unknown>>,
  after: Readonly<Record<Member, unknown>>,
  reviewed: readonly Member[],
): Member[] {
  return merchantId === null ? [] : findChanged(before, after, reviewed);
}

/** `subject` names what was decided on and its state, `instead` what to register for the rest. */
export function refuseEdits(
  edits: readonly string[],
  { subject, open, instead }: { subject: string; open: readonly string[]; instead: string },
): Refusal {
  return new Refusal(
    "illegal_transition",
    `${subject}, and this credential changes nothing that was reviewed: leave ${edits.join(", ")} as before. ` +
      `Open to change are ${open.join(", ")}. For the rest register ${instead}, or ask the tenant.`,
  );
}
