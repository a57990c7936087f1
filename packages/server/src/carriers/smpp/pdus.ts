// Encodes and decodes PDUs, texts and addresses with the library `smpp`. The library's sessions are not used: they have
// no window and no timeouts, and they stop reading after a PDU that cannot be parsed.

import { readSeptets, toSeptets } from "@msgctl/contract/gsm-alphabet";
import type { PDU } from "smpp";
import type { DeliveryReason } from "../../domain/messages/rules.ts";
import {
  callingCodeOf,
  isValidPhoneNumber,
  parseNationalNumber,
  parsePhoneNumber,
} from "../../domain/phone-numbers.ts";
import type { SmppSettings } from "./settings.ts";

export interface Decoded {
  readonly pdu: PDU;
  /** False if only the header could be read. */
  readonly isWhole: boolean;
}

export interface PduCodec {
  /** Encodes a PDU. Texts are octets; omitted fields get their defaults. */
  encode(command: string, fields: object): Buffer;
  /** Decodes a frame. Its first four octets must give its length. */
  decode(frame: Buffer): Decoded;
}

/** Length of a PDU that is only a header. */
export const HEADER_BYTES = 16;
/** Longest PDU: `message_payload` may have up to 64 kB (SMPP 3.4, 5.3.2.32). */
export const LONGEST_PDU = 65_536;

/** Loads the library. Rejects like `import` if it is not installed. */
export async function loadPduCodec(): Promise<PduCodec> {
  const library = await import("smpp");
  // its own limit is 16 KiB
  library.PDU.maxLength = LONGEST_PDU;

  /** Keeps texts as octets: the library's filters choose wrong encodings and leave a global variable behind. */
  class PlainPdu extends library.PDU {
    protected override _filter(): void {}
  }

  return {
    encode: (command, fields) => new PlainPdu(command, fields).toBuffer(),
    decode(frame) {
      try {
        const pdu = new PlainPdu(frame);
        return { pdu, isWhole: hasBody(pdu) };
      } catch {
        const header = Buffer.from(frame.subarray(0, HEADER_BYTES));
        header.writeUInt32BE(HEADER_BYTES, 0);
        return { pdu: new PlainPdu(header), isWhole: false };
      }
    },
  };
}

/** Returns whether the PDU is complete. The library omits fields that are cut off. */
function hasBody({ command, short_message, data_coding }: PDU): boolean {
  if (command === "deliver_sm") return short_message !== undefined;
  return command !== "data_sm" || data_coding !== undefined;
}

/** Values of command_status (SMPP 3.4, 5.1.3). Every error proves that the submission was not accepted. */
export const statuses = {
  ESME_ROK: 0x00,
  ESME_RINVMSGLEN: 0x01,
  ESME_RINVCMDLEN: 0x02,
  ESME_RINVCMDID: 0x03,
  ESME_RINVBNDSTS: 0x04,
  ESME_RALYBND: 0x05,
  ESME_RINVPRTFLG: 0x06,
  ESME_RINVREGDLVFLG: 0x07,
  ESME_RSYSERR: 0x08,
  ESME_RINVSRCADR: 0x0a,
  ESME_RINVDSTADR: 0x0b,
  ESME_RINVMSGID: 0x0c,
  ESME_RBINDFAIL: 0x0d,
  ESME_RINVPASWD: 0x0e,
  ESME_RINVSYSID: 0x0f,
  ESME_RCANCELFAIL: 0x11,
  ESME_RREPLACEFAIL: 0x13,
  ESME_RMSGQFUL: 0x14,
  ESME_RINVSERTYP: 0x15,
  ESME_RINVNUMDESTS: 0x33,
  ESME_RINVDLNAME: 0x34,
  ESME_RINVDESTFLAG: 0x40,
  ESME_RINVSUBREP: 0x42,
  ESME_RINVESMCLASS: 0x43,
  ESME_RCNTSUBDL: 0x44,
  ESME_RSUBMITFAIL: 0x45,
  ESME_RINVSRCTON: 0x48,
  ESME_RINVSRCNPI: 0x49,
  ESME_RINVDSTTON: 0x50,
  ESME_RINVDSTNPI: 0x51,
  ESME_RINVSYSTYP: 0x53,
  ESME_RINVREPFLAG: 0x54,
  ESME_RINVNUMMSGS: 0x55,
  ESME_RTHROTTLED: 0x58,
  ESME_RINVSCHED: 0x61,
  ESME_RINVEXPIRY: 0x62,
  ESME_RINVDFTMSGID: 0x63,
  ESME_RX_T_APPN: 0x64,
  ESME_RX_P_APPN: 0x65,
  ESME_RX_R_APPN: 0x66,
  ESME_RQUERYFAIL: 0x67,
  ESME_RINVOPTPARSTREAM: 0xc0,
  ESME_ROPTPARNOTALLWD: 0xc1,
  ESME_RINVPARLEN: 0xc2,
  ESME_RMISSINGOPTPARAM: 0xc3,
  ESME_RINVOPTPARAMVAL: 0xc4,
  ESME_RDELIVERYFAILURE: 0xfe,
  ESME_RUNKNOWNERR: 0xff,
} as const;

const names: ReadonlyMap<number, string> = new Map(Object.entries(statuses).map(([name, status]) => [status, name]));

/** Names a status, such as `ESME_RTHROTTLED (88)`, or `status 1034` for a carrier-specific one. */
export function nameStatus(status: number): string {
  const name = names.get(status);
  return name === undefined ? `status ${status}` : `${name} (${status})`;
}

export type Verdict =
  | { readonly kind: "taken" }
  /** The message may be accepted later. `isTooFast`: it was submitted too soon after others. */
  | { readonly kind: "later"; readonly retryAfterMs: number; readonly isTooFast: boolean }
  | { readonly kind: "refused"; readonly reason: DeliveryReason }
  | { readonly kind: "failed" };

const verdicts: ReadonlyMap<number, Verdict> = new Map<number, Verdict>([
  [statuses.ESME_ROK, { kind: "taken" }],
  [statuses.ESME_RTHROTTLED, { kind: "later", retryAfterMs: 1_000, isTooFast: true }],
  [statuses.ESME_RMSGQFUL, { kind: "later", retryAfterMs: 10_000, isTooFast: true }],
  // SMPP 5.0: all or part of the SMSC is unavailable
  [statuses.ESME_RSYSERR, { kind: "later", retryAfterMs: 30_000, isTooFast: false }],
  [statuses.ESME_RX_T_APPN, { kind: "later", retryAfterMs: 30_000, isTooFast: false }],
  // concerns the session, not the message
  [statuses.ESME_RINVBNDSTS, { kind: "later", retryAfterMs: 30_000, isTooFast: false }],
  [statuses.ESME_RINVDSTADR, { kind: "refused", reason: "UNKNOWN_HANDSET" }],
  [statuses.ESME_RDELIVERYFAILURE, { kind: "refused", reason: "UNREACHABLE" }],
]);

/** Classifies a response. Faults of our own sender, text length or coding count as failures, as do unknown statuses. */
export function judgeStatus(status: number): Verdict {
  return verdicts.get(status) ?? { kind: "failed" };
}

const DEFAULT_ALPHABET = 0;
const UCS_2 = 8;

/** Octets that fit into a single text, and into each part of a multipart text. */
interface Capacity {
  readonly single: number;
  readonly concatenated: number;
}

const septets: Capacity = { single: 160, concatenated: 153 };
const ucs2Octets: Capacity = { single: 140, concatenated: 134 };

export interface EncodedText {
  readonly dataCoding: number;
  /** At least one part. */
  readonly parts: readonly Buffer[];
}

/** An encoded character. `width` is the room that it takes in a text on the air. */
interface Character {
  readonly octets: readonly number[];
  readonly width: number;
}

/** Highest octet of the default alphabets other than GSM-7. */
const highestOctets = { latin1: 0xff, ascii: 0x7f } as const;

/**
 * Encodes a text in the default alphabet, or in UCS-2 if a character is not both in that alphabet and in GSM-7. GSM-7 has
 * one septet per octet. Texts in GSM-7 and in UCS-2 are split exactly where @msgctl/contract/segments does, so that
 * charges match. Escape pairs and surrogate pairs are never split.
 */
export function encodeText(text: string, alphabet: SmppSettings["alphabet"] = "gsm7"): EncodedText {
  const characters = Array.from(text, (character) => toDefaultAlphabet(character, alphabet));
  if (characters.every((character) => character !== undefined)) {
    return { dataCoding: DEFAULT_ALPHABET, parts: cut(characters, septets) };
  }
  return { dataCoding: UCS_2, parts: cut(Array.from(text, toUcs2), ucs2Octets) };
}

/** The carrier converts Latin-1 and ASCII to GSM-7, so a character takes as many septets as there. */
function toDefaultAlphabet(character: string, alphabet: SmppSettings["alphabet"]): Character | undefined {
  const inGsm7 = toSeptets(character);
  if (inGsm7 === undefined) return undefined;
  if (alphabet === "gsm7") return { octets: inGsm7, width: inGsm7.length };
  const octet = character.charCodeAt(0);
  return octet > highestOctets[alphabet] ? undefined : { octets: [octet], width: inGsm7.length };
}

function toUcs2(character: string): Character {
  const octets = [...Buffer.from(character, "utf16le").swap16()];
  return { octets, width: octets.length };
}

/** Fills parts in order. A character that does not fit starts the next part. */
function cut(characters: readonly Character[], { single, concatenated }: Capacity): Buffer[] {
  const width = characters.reduce((sum, character) => sum + character.width, 0);
  if (width <= single) return [Buffer.from(characters.flatMap(({ octets }) => octets))];
  const parts: number[][] = [[]];
  let filled = 0;
  for (const character of characters) {
    if (filled + character.width > concatenated) {
      parts.push([]);
      filled = 0;
    }
    parts.at(-1)?.push(...character.octets);
    filled += character.width;
  }
  return parts.map((part) => Buffer.from(part));
}

/**
 * Decodes a text by its data_coding. A default alphabet of GSM-7 is read as Latin-1 if any octet is above 0x7f. Other
 * codings are read as Latin-1, which loses nothing.
 */
export function decodeText(octets: Buffer, dataCoding: number, alphabet: SmppSettings["alphabet"] = "gsm7"): string {
  const coding = codingOf(dataCoding);
  if (coding === UCS_2)
    return Buffer.from(octets.subarray(0, octets.length & ~1))
      .swap16()
      .toString("utf16le");
  const isGsm7 = coding === DEFAULT_ALPHABET && alphabet === "gsm7" && octets.every((octet) => octet < 0x80);
  if (isGsm7) return readSeptets(octets);
  return octets.toString("latin1");
}

/** Returns the coding without a message class. Codings with one keep it in separate bits (3GPP TS 23.038, 4). */
function codingOf(dataCoding: number): number {
  if (dataCoding >= 0xf0) return dataCoding & 0b0100;
  return dataCoding >= 0x10 && dataCoding < 0x40 ? dataCoding & 0b1100 : dataCoding;
}

/** Types of number (SMPP 3.4, 5.2.5). */
const UNKNOWN = 0;
const INTERNATIONAL = 1;
const NATIONAL = 2;
const NETWORK_SPECIFIC = 3;
const ALPHANUMERIC = 5;
/** Numbering plan of E.164 (SMPP 3.4, 5.2.6). */
const ISDN = 1;

export interface SmppAddress {
  readonly ton: number;
  readonly npi: number;
  readonly address: string;
}

/** Returns the SMPP address of an E.164 number, a short code or a name. */
export function toSmppAddress(address: string): SmppAddress {
  if (address.startsWith("+")) return { ton: INTERNATIONAL, npi: ISDN, address: address.slice(1) };
  return { ton: /^\d+$/.test(address) ? NETWORK_SPECIFIC : ALPHANUMERIC, npi: UNKNOWN, address };
}

/** Length of a North American number without its country code, and of many other numbers with theirs. */
const AMBIGUOUS_DIGITS = 10;

/**
 * Returns E.164 for an international number, or for a number of the country of `sender`. Other addresses stay
 * unchanged. Ten digits that do not begin with that country's code are never read as a foreign number.
 */
export function readSmppAddress(ton: number, address: string, sender: string): string {
  if (ton !== INTERNATIONAL && ton !== UNKNOWN && ton !== NATIONAL) return address;
  const digits = address.replace(/^(\+|00)/, "");
  const isExplicit = digits !== address;
  const callingCode = callingCodeOf(sender);
  const national = callingCode === undefined || isExplicit ? undefined : parseNationalNumber(digits, callingCode);
  if (ton === NATIONAL && !isExplicit) return national ?? address;
  const guess = national !== undefined && isValidPhoneNumber(national) ? national : undefined;
  const isAmbiguous = digits.length === AMBIGUOUS_DIGITS && !digits.startsWith(callingCode ?? "+");
  if (isAmbiguous && !isExplicit) return guess ?? address;
  return parsePhoneNumber(`+${withoutMobilePrefix(digits)}`) ?? guess ?? address;
}

/** Removes the 1 that Mexican mobile numbers had after the country code until 2019. Some carriers still write it. */
function withoutMobilePrefix(digits: string): string {
  return digits.replace(/^521(?=\d{10}$)/, "52");
}
