import { isObject } from "../../output/fields.ts";

/** The consent to check. */
export interface ConsentQuestion {
  merchantId: string;
  channel: string;
  /** The contact as the service stores it. */
  contact: string;
}

/** Derives the verdict from the recorded consents. Without a record, `status`, `source` and `updatedAt` are null. */
export function judgeConsent(question: ConsentQuestion, consents: readonly unknown[]) {
  const { merchantId, channel, contact } = question;
  const record = consents
    .filter(isObject)
    .find((each) => each.merchantId === merchantId && each.channel === channel && each.contact === contact);
  const { status = null, source = null, updatedAt = null } = record ?? {};
  return { optedIn: status === "OPT_IN", merchantId, channel, contact, status, source, updatedAt };
}
