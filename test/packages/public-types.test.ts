// A release must not break its users' programs unless that is intended, which `npm run record:types` confirms.

import { join } from "node:path";
import { expect, it } from "vitest";
import { packSdk } from "./packed.ts";
import { breaksIn, type Declarations, plain, readDeclarations, recordedFolder } from "./public-types.ts";

const recorded = readDeclarations(recordedFolder);

/** A replacement in whichever file contains the text. */
type Change = readonly [from: string | RegExp, to: string];

const breaking: Readonly<Record<string, Change>> = {
  "a removed method": [/^ +directSms<.*\n/m, ""],
  "a renamed method": ["directSms<", "sendDirectSms<"],
  "a removed group of methods": [/^ +(?:readonly|get) alerts\b.*\n/m, ""],
  "a narrowed parameter of a method": [/(summary<.*>\(batchId: )PathValue/, "$1number"],
  "an additional required parameter": [/(summary<.*>\(batchId: PathValue)/, "$1, page: number"],
  "a widened reply": ["ReplyData<MerchantView[], E>", "ReplyData<MerchantView[], E> | undefined"],
  "a removed option of a client": [/(interface ClientOptions \{[^}]*)maxRetries\?:.*\n/, "$1"],
  "a narrowed option of a client": [/(interface ClientOptions \{[^}]*maxRetries\?: )number/, "$10 | 1 | 2"],
  "a removed way to read an outcome": [/^ +safe\(\).*\n/m, ""],
  "a removed field of a hook's argument": [/^ +readonly attempt: number;\n/m, ""],
  "a removed error class": [/\b\w+ as ConsentError, /, ""],
  "an error class with another parent": [
    "class ConsentError extends ApiError",
    "class ConsentError extends MessagingError",
  ],
  "a removed type": [/(?<=export \{.*)\bV1SmsSendRequest, /, ""],
  "a renamed field of a reply": [/(MerchantView: \{[^}]*)displayName:/, "$1name:"],
  "a field of a reply that may now be absent": [/(MerchantView: \{[^}]*)displayName:/, "$1displayName?:"],
  "a renamed field of a request": [/(V1MerchantUpsertRequest: \{[^}]*)smsCredits\?:/, "$1smsCredit?:"],
  "a request field that becomes required": [/(V1MerchantUpsertRequest: \{[^}]*)smsCredits\?:/, "$1smsCredits:"],
  "a removed value of a request field": [/(MessageType: .*)"OTP" \| /, "$1"],
  "a removed path of the raw client": [/^ {4}"\/api\/v1\/alerts": \{/m, '    "/api/v1/alarms": {'],
};

const harmless: Readonly<Record<string, Change>> = {
  "an additional method": [/^( +)directSms</m, "$1another(body: string): ApiCall<string>;\n$1directSms<"],
  "an additional group of methods": [/^( +(?:readonly|get) )(alerts\b)/m, "$1alarms: AlertsResource;\n$1$2"],
  "an additional optional argument": [
    /(summary<.*>\(batchId: PathValue, options\?: CallOptions<E>)/,
    "$1, page?: number",
  ],
  "a wider parameter": [/(get<.*>\(merchantId: )string/, "$1PathValue"],
  "an additional option": [/(interface ClientOptions \{)/, "$1 proxy?: string | undefined;"],
  "an additional hook": [/(interface Hooks \{)/, "$1 onEnd?(status: number): void;"],
  "an additional field of a hook's argument": [/(interface RequestEvent \{)/, "$1 bodyBytes: number;"],
  "an additional field of a reply": [/(MerchantView: \{)/, "$1 color: string;"],
  "an additional optional field of a request": [/(V1MerchantUpsertRequest: \{)/, "$1 color?: string;"],
  "an additional value of a request field": [/(BusinessType: )/, '$1"CIRCUS" | '],
  "an additional error class": [
    "declare class ConsentError",
    "export class ChatError extends Error {}\ndeclare class ConsentError",
  ],
  "an additional method of the groups' base class": [/^( +)get raw\(\)/m, "$1another(): void;\n$1get raw()"],
  "an additional path of the raw client": [
    /^( {4})("\/api\/v1\/alerts": \{)/m,
    '$1"/api/v1/alarms": { get: { responses: {} } };\n$1$2',
  ],
};

/** Declarations of an invented release. @throws {Error} If no file contains the text to replace. */
function release([from, to]: Change): Declarations {
  for (const [file, text] of Object.entries(recorded)) {
    const changed = text.replace(from, to);
    if (changed !== text) return { ...recorded, [file]: changed };
  }
  throw new Error(`No recorded file contains ${from}, so this change has no effect.`);
}

const releases = Object.fromEntries(
  Object.entries({ ...breaking, ...harmless }).map(([title, change]) => [title, release(change)]),
);
const breaks: Readonly<Record<string, readonly string[]>> = breaksIn(
  { ...releases, today: plain(readDeclarations(join(packSdk().folder, "dist"))) },
  recorded,
);

it("the SDK breaks no program that compiled with the recorded types", () => {
  expect(breaks.today, "Undo the break; or say it in CHANGELOG.md and run npm run record:types.").toEqual([]);
});

it.each(Object.keys(breaking))("the comparison reports %s", (title) => expect(breaks[title]).not.toEqual([]));

it.each(Object.keys(harmless))("the comparison accepts %s", (title) => expect(breaks[title]).toEqual([]));
