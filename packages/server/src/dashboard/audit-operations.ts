import { readErasedRecipient } from "../rules/erased-recipients.ts";
import { readWrittenNumber } from "../rules/phone-numbers.ts";
import { Refusal, refuseFaults } from "../rules/refusal.ts";
import { readContact } from "../steps/recipient-story.ts";
import type { Audit } from "./audit.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

const PAGE = 100;

/** Without an audit, as in development, there is nothing to list. */
export function auditHandlers(audit: Audit | undefined): DashboardHandlers<"listAuditEntries"> {
  return {
    listAuditEntries: {
      async answer({ tenantId, merchantId, timezone }, { query: { about, before = Number.MAX_SAFE_INTEGER } }) {
        if (merchantId !== null) {
          throw new Refusal("merchant_scope_denied", "The audit is of the whole tenant, and you see one merchant.");
        }
        const asked = { before: Number(before), limit: PAGE + 1 };
        const contact = about === undefined ? undefined : readAbout(about, timezone);
        const found = (await audit?.list(tenantId, { about: contact, ...asked })) ?? [];
        const entries = found.slice(0, PAGE).map(({ userId: _userId, askedAt, requestId, ...entry }) => ({
          ...entry,
          requestId: requestId === "" ? null : requestId,
          askedAt: new Date(askedAt).toISOString(),
        }));
        return { entries, next: found.length > PAGE ? (entries.at(-1)?.entryId ?? null) : null };
      },
    },
  };
}

/** Throws `validation_error` for what is no recipient: an empty list would say that nobody looked. */
function readAbout(text: string, timezone: string): string {
  const contact = readErasedRecipient(text.trim()) === undefined ? readContact(text) : text.trim();
  const written = contact === undefined ? readWrittenNumber(text, timezone) : undefined;
  if (contact !== undefined) return contact;
  if (written !== undefined && !written.isGuess) return written.e164;
  const meant = written === undefined ? "" : ` Did you mean ${written.e164}?`;
  const detail = `Expected a phone number such as +12025550100, or an email address.${meant}`;
  throw refuseFaults([{ pointer: "/query/about", code: "invalid", detail }]);
}
