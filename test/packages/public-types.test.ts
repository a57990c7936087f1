// A release that breaks its users' programs has to be intended: `npm run record:types` confirms that it is.

import { join } from "node:path";
import { expect, it } from "vitest";
import { packSdk } from "./packed.ts";
import { breaksIn, type Declarations, plain, readDeclarations, recordedFolder } from "./public-types.ts";

const recorded = readDeclarations(recordedFolder);

/** A replacement in whichever file has it. */
type Change = readonly [from: string | RegExp, to: string];

const breaking: Readonly<Record<string, Change>> = {
  "a removed method": [/^ +directSms<.*\n/m, ""],
  "a renamed method": ["directSms<", "sendDirectSms<"],
  "a removed group of methods": [/^ +(?:readonly|get) alerts\b.*\n/m, ""],
  "a narrowed parameter of a method": [/(summary<.*>\(batchId: )PathValue/, "$1number"],
  "a parameter more that is required": [/(summary<.*>\(batchId: PathValue)/, "$1, page: number"],
  "a widened reply": ["ReplyData<MerchantView[], E>", "ReplyData<MerchantView[], E> | undefined"],
  "a removed option of a client": [/(interface ClientOptions \{[^}]*)maxRetries\?:.*\n/, "$1"],
  "a narrowed option of a client": [/(interface ClientOptions \{[^}]*maxRetries\?: )number/, "$10 | 1 | 2"],
  "a removed way to read an outcome": [/^ +safe\(\).*\n/m, ""],
  "a removed field of what a hook is told": [/^ +readonly attempt: number;\n/m, ""],
  "a removed error class": [/\b\w+ as ConsentError, /, ""],
  "an error of another family": ["class ConsentError extends ApiError", "class ConsentError extends MessagingError"],
  "a removed type": [/(?<=export \{.*)\bV1SmsSendRequest, /, ""],
  "a renamed field of a reply": [/(MerchantView: \{[^}]*)displayName:/, "$1name:"],
  "a field of a reply that may now be absent": [/(MerchantView: \{[^}]*)displayName:/, "$1displayName?:"],
  "a renamed field of a request": [/(V1MerchantUpsertRequest: \{[^}]*)smsCredits\?:/, "$1smsCredit?:"],
  "a field that a request must now have": [/(V1MerchantUpsertRequest: \{[^}]*)smsCredits\?:/, "$1smsCredits:"],
  "a value that a request can no longer have": [/(MessageType: .*)"OTP" \| /, "$1"],
  "a removed path of the raw client": [/^ {4}"\/api\/v1\/alerts": \{/m, '    "/api/v1/alarms": {'],
};

const harmless: Readonly<Record<string, Change>> = {
  "a method more": [/^( +)directSms</m, "$1another(body: string): ApiCall<string>;\n$1directSms<"],
  "a group of methods more": [/^( +(?:readonly|get) )(alerts\b)/m, "$1alarms: AlertsResource;\n$1$2"],
  "an argument more that is optional": [
    /(summary<.*>\(batchId: PathValue, options\?: CallOptions<E>)/,
    "$1, page?: number",
  ],
  "a wider parameter": [/(get<.*>\(merchantId: )string/, "$1PathValue"],
  "an option more": [/(interface ClientOptions \{)/, "$1 proxy?: string | undefined;"],
  "a hook more": [/(interface Hooks \{)/, "$1 onEnd?(status: number): void;"],
  "a field more in what a hook is told": [/(interface RequestEvent \{)/, "$1 bodyBytes: number;"],
  "a field more in a reply": [/(MerchantView: \{)/, "$1 color: string;"],
  "a field more in a request, optional": [/(V1MerchantUpsertRequest: \{)/, "$1 color?: string;"],
  "a value more that a request can have": [/(BusinessType: )/, '$1"CIRCUS" | '],
  "an error class more": [
    "declare class ConsentError",
    "export class ChatError extends Error {}\ndeclare class ConsentError",
  ],
  "a method more of what the groups are made from": [/^( +)get raw\(\)/m, "$1another(): void;\n$1get raw()"],
  "a path more of the raw client": [
    /^( {4})("\/api\/v1\/alerts": \{)/m,
    '$1"/api/v1/alarms": { get: { responses: {} } };\n$1$2',
  ],
};

/** Declarations of an invented release. @throws {Error} If the replaced text does not exist. */
function release([from, to]: Change): Declarations {
  for (const [file, text] of Object.entries(recorded)) {
    const changed = text.replace(from, to);
    if (changed !== text) return { ...recorded, [file]: changed };
  }
  throw new Error(`Nothing recorded has ${from}: this change is of nothing.`);
}

const releases = Object.fromEntries(
  Object.entries({ ...breaking, ...harmless }).map(([title, change]) => [title, release(change)]),
);
const breaks: Readonly<Record<string, readonly string[]>> = breaksIn(
  { ...releases, today: plain(readDeclarations(join(packSdk().folder, "dist"))) },
  recorded,
);

it("breaks no program that compiled with the recorded types", () => {
  expect(breaks.today, "Undo the break; or say it in CHANGELOG.md and run npm run record:types.").toEqual([]);
});

it.each(Object.keys(breaking))("would report %s", (title) => expect(breaks[title]).not.toEqual([]));

it.each(Object.keys(harmless))("would accept %s", (title) => expect(breaks[title]).toEqual([]));
