// The settings of a carrier of calls through FreeSWITCH.

import { checkText, type DocumentFault, type DocumentObject } from "../../domain/document-checks.ts";
import { isPhoneNumber } from "../../domain/phone-numbers.ts";
import type { CarrierSettings } from "../kind.ts";
import { checkMarketingCalls, type MarketingCalls, marketingCallsSchema } from "../marketing-calls.ts";
import { checkHost, checkSecret, folderWords, isFolder, number, serverFields, text } from "../settings-document.ts";

/** Calls through FreeSWITCH, over its event socket. FreeSWITCH's machine and this one share all folders. */
export interface FreeSwitchSettings extends CarrierSettings {
  readonly kind: "freeswitch";
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** SIP gateway through which calls leave. */
  readonly gateway: string;
  /** Number shown to the person called, in E.164. */
  readonly callerId: string;
  readonly callerName?: string;
  /** Maximum number of simultaneous calls, 1 to 1 000. */
  readonly calls: number;
  /** Path under which FreeSWITCH finds the files of `--speech-folder`. @default the same path */
  readonly speechFolder?: string;
  /** Path on FreeSWITCH's machine for recordings, `<message id>.wav`. @default FreeSWITCH's recordings folder */
  readonly recordingFolder?: string;
  /**
   * Folder of FreeSWITCH's call records (mod_json_cdr), as a path on this machine. If events of a call were missed, its
   * record shows how it ended.
   */
  readonly callRecordFolder?: string;
  /** Whether a SIP user counts as present while a phone is registered at FreeSWITCH. */
  readonly presence: boolean;
  readonly marketing?: MarketingCalls;
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
    marketing: marketingCallsSchema,
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
    ...checkMarketingCalls(document),
  ];
}

export function completeFreeSwitchSettings(document: object): FreeSwitchSettings {
  return { port: 8021, calls: 10, presence: false, ...document } as FreeSwitchSettings;
}

function isCallerName(given: string): boolean {
  return /^[\p{L}\p{N} .&-]+$/u.test(given);
}

/** Rejects `presence` for all tenants, because phones belong to one tenant. */
function checkPresence({ fields }: DocumentObject): DocumentFault[] {
  if (fields.presence !== true) return [];
  return [
    {
      pointer: "/presence",
      detail: "expected false for all tenants; set it for the tenant that has the phones",
    },
  ];
}
