// The settings of a carrier of calls by FreeSWITCH.

import { checkText, type DocumentFault, type DocumentObject } from "../../domain/document-checks.ts";
import { isPhoneNumber } from "../../domain/phone-numbers.ts";
import type { CarrierSettings } from "../kind.ts";
import { checkHost, checkSecret, folderWords, isFolder, number, serverFields, text } from "../settings-document.ts";

/** Calls by FreeSWITCH, over its event socket. All folders are on its machine, and shared with this one. */
export interface FreeSwitchSettings extends CarrierSettings {
  readonly kind: "freeswitch";
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** The name of the SIP gateway that calls leave by. */
  readonly gateway: string;
  /** The number that is shown to who is called, in E.164. */
  readonly callerId: string;
  readonly callerName?: string;
  /** Calls at once, 1 to 1 000. */
  readonly calls: number;
  /** Where it finds the speech of `--speech-folder`. @default the same path */
  readonly speechFolder?: string;
  /** Where it puts recordings, `<message id>.wav`. @default its own folder of recordings */
  readonly recordingFolder?: string;
  /** Where it puts its call records (mod_json_cdr), on this machine: they tell how calls ended that nobody listened to. */
  readonly callRecordFolder?: string;
  /** Whether the phones that register with it decide who is present. */
  readonly presence: boolean;
}

export const freeSwitchSchema = {
  required: ["host", "password", "gateway", "callerId"],
  properties: {
    ...serverFields,
    password: text(),
    gateway: text(64),
    callerId: text(16),
    callerName: text(64),
    calls: number(1, 1_000),
    speechFolder: text(),
    recordingFolder: text(),
    callRecordFolder: text(),
    presence: { type: "boolean" },
  },
};

const gatewayWords = "the name of a gateway: letters, digits, . _ and -";
const folders = ["speechFolder", "recordingFolder", "callRecordFolder"];

export function findFreeSwitchFaults(document: DocumentObject, isForAllTenants: boolean): DocumentFault[] {
  return [
    ...checkHost(document),
    ...checkSecret(document, "password"),
    ...checkText(document, "gateway", (given) => /^[\w.-]+$/.test(given), gatewayWords),
    ...checkText(document, "callerId", isPhoneNumber, "an E.164 number, such as +12025550199"),
    ...checkText(document, "callerName", isCallerName, "letters, digits, spaces and . & -"),
    ...folders.flatMap((name) => checkText(document, name, isFolder, folderWords)),
    ...(isForAllTenants ? checkPresence(document) : []),
  ];
}

export function completeFreeSwitchSettings(document: object): FreeSwitchSettings {
  return { port: 8021, calls: 10, presence: false, ...document } as FreeSwitchSettings;
}

function isCallerName(given: string): boolean {
  return /^[\p{L}\p{N} .&-]+$/u.test(given);
}

/** Phones are those of one tenant. */
function checkPresence({ fields }: DocumentObject): DocumentFault[] {
  if (fields.presence !== true) return [];
  return [
    { pointer: "/presence", detail: "expected false for all tenants: set it for the tenant that has the phones" },
  ];
}
