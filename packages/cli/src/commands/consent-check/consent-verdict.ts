import { isObject } from "../../output/fields.ts";

/** The consent to look up. */
export interface ConsentQuestion {
  merchantId: string;
  channel: string;
  /** Contact in the service's form. */
  contact: string;
}

/** Derives the verdict from recorded consents: `status`, `source` and `updatedAt` are the record's, or null without one. */
export function judgeConsent(question: ConsentQuestion, consents: readonly unknown[]) {
  const { merchantId, channel, contact } = question;
  const record = consents
    .filter(isObject)
    .find((each) => each.merchantId === merchantId && each.channel === channel && each.contact === contact);
  const { status = null, source = null, updatedAt = null } = record ?? {};
  return { optedIn: status === "OPT_IN", merchantId, channel, contact, status, source, updatedAt };
}
