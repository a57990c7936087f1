// Reads texts from phones and delivery receipts from deliver_sm and data_sm. A receipt names its message in
// `receipted_message_id`, or in a text (SMPP 3.4, appendix B) in `short_message` or `message_payload`, whose format
// varies between carriers. Not used: `user_message_reference`, which is not unique; `err` and `network_error_code`,
// which differ between networks.

import type { PDU } from "smpp";
import type { Clock } from "../../platform/clock.ts";
import type { DeliveryReport, PartReceipt } from "../provider.ts";
import { decodeText, readSmppAddress } from "./pdus.ts";
import type { SmppSettings } from "./settings.ts";

/** Bit of esm_class that marks a text with a user data header. */
const UDH_INDICATOR = 0x40;
/** User data header elements that say how parts are joined (3GPP TS 23.040, 9.2.3.24.1 and 9.2.3.24.8). */
const REFERENCE_8_BIT = 0;
const REFERENCE_16_BIT = 8;

/** Position of a part in a multipart text: `number` is 1 to `total`, which is at least 2. */
export interface PartNumber {
  readonly reference: number;
  readonly total: number;
  readonly number: number;
}

interface TextPart {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** Undefined if the text has only one part. */
  readonly part?: PartNumber;
}

/** Reads a text from a phone, or one part of it. National numbers are read as numbers of the country of `sender`. */
export function readTextPart(pdu: PDU, { sender, alphabet }: Pick<SmppSettings, "sender" | "alphabet">): TextPart {
  const { esm_class = 0, data_coding = 0 } = pdu;
  const octets = textOctets(pdu);
  const headerBytes = (esm_class & UDH_INDICATOR) === 0 ? 0 : (octets[0] ?? 0) + 1;
  const part = checkNumber(findInHeader(octets.subarray(1, headerBytes)) ?? findInParameters(pdu));
  return {
    from: readSmppAddress(pdu.source_addr_ton ?? 0, pdu.source_addr ?? "", sender),
    to: readSmppAddress(pdu.dest_addr_ton ?? 0, pdu.destination_addr ?? "", sender),
    text: decodeText(octets.subarray(headerBytes), data_coding, alphabet),
    ...(part === undefined ? {} : { part }),
  };
}

function textOctets({ short_message, message_payload }: PDU): Buffer {
  return (short_message?.length ? short_message : message_payload) ?? Buffer.alloc(0);
}

/** Reads a header without its first octet. Each element is an octet for its kind, one for its length, and then its data. */
function findInHeader(elements: Buffer): PartNumber | undefined {
  for (let rest = elements; rest.length >= 2; ) {
    const [kind, length = 0] = rest;
    const element = rest.subarray(2, 2 + length);
    const [total = 0, number = 0] = element.subarray(-2);
    if (kind === REFERENCE_8_BIT && element.length === 3) return { reference: element.readUInt8(0), total, number };
    if (kind === REFERENCE_16_BIT && element.length === 4) return { reference: element.readUInt16BE(0), total, number };
    rest = rest.subarray(2 + length);
  }
  return undefined;
}

function findInParameters({ sar_msg_ref_num, sar_total_segments, sar_segment_seqnum }: PDU): PartNumber | undefined {
  if (sar_msg_ref_num === undefined) return undefined;
  return { reference: sar_msg_ref_num, total: sar_total_segments ?? 0, number: sar_segment_seqnum ?? 0 };
}

/** Returns undefined for an impossible number; the part is then treated as a complete text. */
function checkNumber(part: PartNumber | undefined): PartNumber | undefined {
  return part !== undefined && part.total > 1 && part.number >= 1 && part.number <= part.total ? part : undefined;
}

const bases = {
  "hex-as-decimal": { response: 16, receipt: 10 },
  "decimal-as-hex": { response: 10, receipt: 16 },
} as const;

const HEX = /^[\da-f]+$/i;

/**
 * Normalizes an id, because carriers may write the same id differently in a response and a receipt: zero-padded, in
 * capitals, or in another base. Non-numeric ids are compared verbatim: they may be case-sensitive.
 */
export function normaliseMessageId(
  id: string,
  source: "response" | "receipt",
  receiptIds: SmppSettings["receiptIds"],
): string {
  const trimmed = id.trim();
  if (!HEX.test(trimmed)) return trimmed;
  if (receiptIds === "same") return trimmed.toLowerCase().replace(/^0+(?=.)/, "");
  // If a decimal id is expected but this one has hex letters, the carrier writes all ids in hex.
  const isDecimal = bases[receiptIds][source] === 10 && /^\d+$/.test(trimmed);
  return BigInt(isDecimal ? trimmed : `0x${trimmed}`).toString();
}

/** Bits of esm_class for the message type, and two of their values. */
const MESSAGE_TYPE = 0b0011_1100;
const DELIVERY_RECEIPT = 0b0000_0100;
const INTERMEDIATE_NOTIFICATION = 0b0010_0000;
/** Longest id (SMPP 3.4, 5.2.23) or other field. Longer values are ignored. */
const LONGEST_VALUE = 64;
const LONGEST_LOGGED = 200;
/** Field names in a receipt's text. */
const FIELD = "(?:id|sub|dlvrd|date|stat|err|text)";
const LEAST_PRINTABLE = 0x20;

type Report = Pick<DeliveryReport, "status" | "reason">;

const sent: Report = { status: "SENT", reason: null };
const delivered: Report = { status: "DELIVERED", reason: null };
const expired: Report = { status: "EXPIRED", reason: "TTL_EXPIRED" };
const deleted: Report = { status: "UNDELIVERED", reason: "CARRIER_UNKNOWN" };
const undeliverable: Report = { status: "UNDELIVERED", reason: "UNREACHABLE" };
const rejected: Report = { status: "UNDELIVERED", reason: "CARRIER_FILTERED" };

/** Reports by `message_state` (SMPP 3.4, 5.2.28). State 7, UNKNOWN, reports nothing. */
const byState: ReadonlyMap<number, Report | undefined> = new Map([
  [7, undefined],
  [1, sent],
  [2, delivered],
  [3, expired],
  [4, deleted],
  [5, undeliverable],
  [6, sent],
  [8, rejected],
]);

/** Reports by the first seven letters of `stat`. Some carriers write the words in full; FAILED is not in the standard. */
const byStat: ReadonlyMap<string, Report> = new Map([
  ["ENROUTE", sent],
  ["ACCEPTD", sent],
  ["ACCEPTE", sent],
  ["DELIVRD", delivered],
  ["DELIVER", delivered],
  ["EXPIRED", expired],
  ["DELETED", deleted],
  ["UNDELIV", undeliverable],
  ["FAILED", undeliverable],
  ["REJECTD", rejected],
  ["REJECTE", rejected],
]);

/**
 * Returns whether the PDU is a receipt, by esm_class or by parameters that only a receipt has. Its text is ignored, because
 * anybody can send a text that looks like a receipt.
 */
export function isReceipt({ esm_class = 0, receipted_message_id, message_state }: PDU): boolean {
  const type = esm_class & MESSAGE_TYPE;
  if (type === 0) return receipted_message_id !== undefined && message_state !== undefined;
  return type === DELIVERY_RECEIPT || type === INTERMEDIATE_NOTIFICATION;
}

/** Reads a receipt. Returns undefined if it lacks a message id. */
export function readReceipt(pdu: PDU, receiptIds: SmppSettings["receiptIds"]): PartReceipt | undefined {
  const text = readReceiptText(pdu);
  const [inParameter, inText] = [readIdParameter(pdu), text.find("id")];
  // the parameter repeats the id of the response; only the text uses another base
  const id = receiptIds === "same" ? (inParameter ?? inText) : (inText ?? inParameter);
  const stat = text.find("stat")?.toUpperCase();
  const report = readReport(pdu, stat);
  if (id === undefined) return undefined;
  const part = normaliseMessageId(id, "receipt", receiptIds);
  const state = stat ?? `message_state ${pdu.message_state}`;
  if (report === undefined) return toUnknownState(pdu, { part, state });
  const error = text.find("err");
  return {
    kind: "part-receipt",
    eventId: [part, state, text.find("done date") ?? ""].join(" ").trim(),
    part,
    ...report,
    detail: error === undefined ? state : `${state} err:${error}`,
  };
}

/** Reports a receipt without a known state. It proves only that the carrier has the message. */
function toUnknownState(pdu: PDU, { part, state }: { part: string; state: string }): PartReceipt {
  const { message_state } = pdu;
  const said = [message_state === undefined ? "" : `message_state ${message_state}`, cleanHead(pdu)].join(" ").trim();
  const detail = `a receipt without a known state: ${said || "empty"}`;
  return { kind: "part-receipt", eventId: `${part} ${state}`, part, ...sent, detail, hasUnknownState: true };
}

/** Describes an unreadable receipt for the log, without the message's text, which may be a one-time password. */
export function describeReceipt(pdu: PDU): object {
  const { receipted_message_id, message_state } = pdu;
  const id = receipted_message_id === undefined ? {} : { receipted_message_id: clean(receipted_message_id) };
  return { receipt: cleanHead(pdu), ...id, message_state };
}

/** Returns the fields of a receipt's text as printable ASCII, without the message's text. */
function cleanHead(pdu: PDU): string {
  return clean(readReceiptText(pdu).head);
}

function clean(text: string): string {
  return text
    .replaceAll(/[^!-~]+/g, " ")
    .trim()
    .slice(0, LONGEST_LOGGED);
}

function readReport({ esm_class = 0, message_state }: PDU, stat = ""): Report | undefined {
  const state = message_state ?? 0;
  const report = byState.has(state) ? byState.get(state) : byStat.get(stat.slice(0, 7));
  const isIntermediate = (esm_class & MESSAGE_TYPE) === INTERMEDIATE_NOTIFICATION;
  return isIntermediate ? report && sent : report;
}

/**
 * Reads the id up to the first octet that an id cannot contain: if its terminating NUL is missing, the library reads past
 * the id's end.
 */
function readIdParameter({ receipted_message_id = "" }: PDU): string | undefined {
  const [id = ""] = receipted_message_id.match(/^[ -~]*/) ?? [];
  return id.trim() === "" || id.length > LONGEST_VALUE ? undefined : id;
}

/** Reads the text of a receipt. Its fields are ASCII, whatever its data_coding says. */
function readReceiptText(pdu: PDU): { readonly head: string; find(field: string): string | undefined } {
  const whole = readOctets(pdu).toString("latin1").replaceAll("\0", "");
  // a field in the quoted message counts only if the receipt itself lacks it
  const head = whole.split(/\btext:/i, 1)[0] ?? "";
  return {
    head,
    find(field) {
      // an empty field is followed by the next field's name and colon, which must not be read as its value
      const value = `(?!${FIELD}:)([^\\s,;]{1,${LONGEST_VALUE}})| ([^\\s,;:]{1,${LONGEST_VALUE}})`;
      const pattern = new RegExp(`(?:^|[\\s,;])${field}:(?:${value})(?=[\\s,;]|$)`, "i");
      const found = pattern.exec(head) ?? pattern.exec(whole);
      return found?.[1] ?? found?.[2];
    },
  };
}

/**
 * Skips the header. Some carriers set the header bit but send no header; the first octet is then a letter, too large
 * for a length.
 */
function readOctets(pdu: PDU): Buffer {
  const octets = textOctets(pdu);
  const [headerBytes = 0] = octets;
  const hasHeader = ((pdu.esm_class ?? 0) & UDH_INDICATOR) !== 0 && headerBytes < LEAST_PRINTABLE;
  return hasHeader ? octets.subarray(headerBytes + 1) : octets;
}

/**
 * Longest wait for the next part: longer than phones need, but shorter than carriers wait for an acknowledgement. If a
 * carrier sends the next part only after an acknowledgement, the parts are reported as separate texts.
 */
const PATIENCE_MS = 8_000;
/** Maximum number of texts that wait for parts. */
const MOST_OPEN = 64;

/** A text or part, and the id of its delivery. */
export interface DeliveredPart extends TextPart {
  readonly deliveryId: string;
}

/** A complete text, or a part of an incomplete one. */
export interface ReportedText {
  readonly eventId: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

interface OpenText {
  readonly parts: Map<number, DeliveredPart>;
  readonly isRecorded: Promise<void>;
  readonly resolve: (recording: Promise<unknown>) => void;
  cancelWait: () => void;
}

/** Joins the parts of texts. A part is acknowledged when it is recorded, so the carrier delivers it again after a crash. */
export class TextJoiner {
  readonly #clock: Clock;
  readonly #report: (text: ReportedText) => Promise<void>;
  /** Oldest first. */
  readonly #open = new Map<string, OpenText>();

  constructor(clock: Clock, report: (text: ReportedText) => Promise<void>) {
    this.#clock = clock;
    this.#report = report;
  }

  /** Resolves when the text with this part is recorded. Rejects if the carrier must deliver the part again. */
  take(delivered: DeliveredPart): Promise<void> {
    const { from, to, part } = delivered;
    if (part === undefined) return this.#report(toText(delivered, delivered.text));
    const key = JSON.stringify([from, to, part.reference, part.total]);
    const text = this.#open.get(key) ?? this.#begin(key);
    // a repeated delivery replaces the earlier copy of the part
    text.parts.set(part.number, delivered);
    text.cancelWait();
    if (text.parts.size < part.total) {
      text.cancelWait = this.#clock.at(this.#clock.now() + PATIENCE_MS, () => this.#giveUp(key));
    } else {
      this.#close(key, (parts) => this.#report(toText(delivered, parts.map((one) => one.text).join(""))));
    }
    return text.isRecorded;
  }

  /** Rejects all waiting parts, so that the carrier delivers them again. */
  stop(): void {
    const refuse = () => Promise.reject(new Error("the carrier was stopped"));
    for (const key of [...this.#open.keys()]) this.#close(key, refuse);
  }

  #begin(key: string): OpenText {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= MOST_OPEN) this.#giveUp(oldest);
    let resolve: OpenText["resolve"] = () => {};
    const isRecorded = new Promise<void>((settle) => {
      resolve = (recording) => settle(recording.then(() => undefined));
    });
    const text = { parts: new Map(), isRecorded, resolve, cancelWait: () => {} };
    this.#open.set(key, text);
    return text;
  }

  /** Reports each part received so far as a separate text. */
  #giveUp(key: string): void {
    this.#close(key, (parts) => Promise.all(parts.map((part) => this.#report(toText(part, part.text)))));
  }

  #close(key: string, record: (parts: readonly DeliveredPart[]) => Promise<unknown>): void {
    const text = this.#open.get(key);
    if (text === undefined) return;
    this.#open.delete(key);
    text.cancelWait();
    const numbers = [...text.parts.keys()].sort((one, other) => one - other);
    text.resolve(record(numbers.flatMap((number) => text.parts.get(number) ?? [])));
  }
}

function toText({ deliveryId, from, to }: DeliveredPart, text: string): ReportedText {
  return { eventId: deliveryId, from, to, text };
}
