// Delivery receipts, which a carrier sends as texts with marks of its own. Which message one is about is said in one of three
// ways: by `receipted_message_id`; by a text in `short_message` (SMPP 3.4, appendix B), which carriers vary in all that it
// has; or by that text in `message_payload`, which is all the room there is in a data_sm. `user_message_reference` names none:
// it has 16 bits, and other messages have the same. Why a text was not delivered only the state says: `err` and
// `network_error_code` are numbers of each network's own.

import type { PDU } from "smpp";
import type { SmppSettings } from "../../../rules/carrier-settings.ts";
import type { DeliveryReport, PartReceipt } from "../provider.ts";
import { UDH_INDICATOR } from "./inbound-texts.ts";
import { normaliseMessageId } from "./message-ids.ts";

/** Bits of esm_class that say what a text is, and two of their values. */
const MESSAGE_TYPE = 0b0011_1100;
const DELIVERY_RECEIPT = 0b0000_0100;
const INTERMEDIATE_NOTIFICATION = 0b0010_0000;
/** Of an id (SMPP 3.4, 5.2.23) and of any other field: a longer one is none. */
const LONGEST_VALUE = 64;
const LONGEST_LOGGED = 200;
/** Fields of a text. */
const FIELD = "(?:id|sub|dlvrd|date|stat|err|text)";
const LEAST_PRINTABLE = 0x20;

type Report = Pick<DeliveryReport, "status" | "reason">;

const sent: Report = { status: "SENT", reason: null };
const delivered: Report = { status: "DELIVERED", reason: null };
const expired: Report = { status: "EXPIRED", reason: "TTL_EXPIRED" };
const deleted: Report = { status: "UNDELIVERED", reason: "CARRIER_UNKNOWN" };
const undeliverable: Report = { status: "UNDELIVERED", reason: "UNREACHABLE" };
const rejected: Report = { status: "UNDELIVERED", reason: "CARRIER_FILTERED" };

/** By the number of `message_state` (SMPP 3.4, 5.2.28). UNKNOWN, 7, says nothing. */
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

/** By the first seven letters of `stat`; some carriers write the words out, and some FAILED, which is not in the standard. */
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
 * Whether it is a receipt: by esm_class, or by parameters that only a receipt has. Never by its text alone, which anybody
 * could write.
 */
export function isReceipt({ esm_class = 0, receipted_message_id, message_state }: PDU): boolean {
  const type = esm_class & MESSAGE_TYPE;
  if (type === 0) return receipted_message_id !== undefined && message_state !== undefined;
  return type === DELIVERY_RECEIPT || type === INTERMEDIATE_NOTIFICATION;
}

/** What a receipt says; undefined where it names no message or no state. */
export function readReceipt(pdu: PDU, receiptIds: SmppSettings["receiptIds"]): PartReceipt | undefined {
  const text = readReceiptText(pdu);
  const [inParameter, inText] = [readIdParameter(pdu), text.find("id")];
  // the parameter repeats what the response had; where the bases differ, they are known to of the text
  const id = receiptIds === "same" ? (inParameter ?? inText) : (inText ?? inParameter);
  const stat = text.find("stat")?.toUpperCase();
  const report = readReport(pdu, stat);
  if (id === undefined || report === undefined) return undefined;
  const part = normaliseMessageId(id, "receipt", receiptIds);
  const state = stat ?? `message_state ${pdu.message_state}`;
  const error = text.find("err");
  return {
    kind: "part-receipt",
    eventId: [part, state, text.find("done date") ?? ""].join(" ").trim(),
    part,
    ...report,
    detail: error === undefined ? state : `${state} err:${error}`,
  };
}

/** A receipt for the log, where it could not be read: without what the message says, which may be a one-time password. */
export function describeReceipt(pdu: PDU): object {
  const { receipted_message_id, message_state } = pdu;
  const clean = (text: string) =>
    text
      .replaceAll(/[^!-~]+/g, " ")
      .trim()
      .slice(0, LONGEST_LOGGED);
  const id = receipted_message_id === undefined ? {} : { receipted_message_id: clean(receipted_message_id) };
  return { receipt: clean(readReceiptText(pdu).head), ...id, message_state };
}

function readReport({ esm_class = 0, message_state }: PDU, stat = ""): Report | undefined {
  const state = message_state ?? 0;
  const report = byState.has(state) ? byState.get(state) : byStat.get(stat.slice(0, 7));
  const isIntermediate = (esm_class & MESSAGE_TYPE) === INTERMEDIATE_NOTIFICATION;
  return isIntermediate ? report && sent : report;
}

/** The library reads on to the next zero where a carrier ends the id without one: no id has the octets that follow. */
function readIdParameter({ receipted_message_id = "" }: PDU): string | undefined {
  const [id = ""] = receipted_message_id.match(/^[ -~]*/) ?? [];
  return id.trim() === "" || id.length > LONGEST_VALUE ? undefined : id;
}

/** Whatever coding it claims to have, often that of the message, its fields are ASCII. */
function readReceiptText(pdu: PDU): { readonly head: string; find(field: string): string | undefined } {
  const whole = readOctets(pdu).toString("latin1").replaceAll("\0", "");
  // what the message itself says is no field, unless there is no other
  const head = whole.split(/\btext:/i, 1)[0] ?? "";
  return {
    head,
    find(field) {
      // a field without a value is followed by the name of the next, and its colon
      const value = `(?!${FIELD}:)([^\\s,;]{1,${LONGEST_VALUE}})| ([^\\s,;:]{1,${LONGEST_VALUE}})`;
      const pattern = new RegExp(`(?:^|[\\s,;])${field}:(?:${value})(?=[\\s,;]|$)`, "i");
      const found = pattern.exec(head) ?? pattern.exec(whole);
      return found?.[1] ?? found?.[2];
    },
  };
}

/** Some carriers set the bit of a header and send none: no header is as long as the code of a letter. */
function readOctets({ esm_class = 0, short_message, message_payload }: PDU): Buffer {
  const octets = (short_message?.length ? short_message : message_payload) ?? Buffer.alloc(0);
  const [headerBytes = 0] = octets;
  const hasHeader = (esm_class & UDH_INDICATOR) !== 0 && headerBytes < LEAST_PRINTABLE;
  return hasHeader ? octets.subarray(headerBytes + 1) : octets;
}
