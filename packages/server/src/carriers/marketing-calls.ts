// How MARKETING calls begin, and the key by which their recipients opt out. The United States require both of prerecorded
// telemarketing calls: 47 CFR 64.1200(b), https://www.ecfr.gov/current/title-47/section-64.1200

import type { MessageType } from "../domain/consent/rules.ts";
import { checkText, type DocumentFault, type DocumentObject, objectOf } from "../domain/document-checks.ts";
import { text } from "./settings-document.ts";

/** The setting `marketing` of a carrier of calls. */
export interface MarketingCalls {
  /** Spoken before the text of a MARKETING call. `{merchant}` is the merchant's display name. */
  readonly intro: string;
  /** A digit. If it is pressed during the call, the recipient is opted out and the call ends. */
  readonly optOutKey: string;
}

const LONGEST_INTRO = 500;
const MERCHANT = "{merchant}";

export const marketingCallsSchema = {
  type: "object",
  additionalProperties: false,
  required: ["intro", "optOutKey"],
  properties: { intro: text(LONGEST_INTRO), optOutKey: text(1) },
};

export function checkMarketingCalls({ fields }: DocumentObject): DocumentFault[] {
  const marketing = objectOf(fields.marketing, "/marketing");
  return [
    ...checkText(marketing, "intro", isIntro, `words without control characters, with no placeholder but ${MERCHANT}`),
    ...checkText(marketing, "optOutKey", (given) => /^\d$/.test(given), "a digit, 0 to 9"),
  ];
}

function isIntro(given: string): boolean {
  return /\S/.test(given) && !/\p{C}/u.test(given) && !/[{}]/.test(given.replaceAll(MERCHANT, ""));
}

/** Returns the key by which the recipient of a call opts out, if it has one. A test call does not announce a key. */
export function findOptOutKey(
  { type, call }: { readonly type: MessageType; readonly call?: object | undefined },
  marketing: MarketingCalls | undefined,
): string | undefined {
  return type === "MARKETING" && call !== undefined ? marketing?.optOutKey : undefined;
}

/** Returns what is spoken in a MARKETING call. */
export function withIntro(content: string, { intro }: MarketingCalls, merchantName: string): string {
  return `${intro.replaceAll(MERCHANT, () => merchantName).trim()} ${content}`;
}
