// A text from a phone, or a part of one, as deliver_sm and data_sm have it.

import type { PDU } from "smpp";
import { readSmppAddress } from "./addresses.ts";
import { decodeText } from "./text-coding.ts";

/** The bit of esm_class by which a text has a user data header. */
export const UDH_INDICATOR = 0x40;
/** Elements of a user data header by which parts are joined (3GPP TS 23.040, 9.2.3.24.1 and 9.2.3.24.8). */
const REFERENCE_8_BIT = 0;
const REFERENCE_16_BIT = 8;

/** Which part of a text of several it is: `place` is 1 to `total`, at least 2. */
export interface PartPlace {
  readonly reference: number;
  readonly total: number;
  readonly place: number;
}

export interface TextPart {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** Only of a part of several. */
  readonly part?: PartPlace;
}

/** `sender` is what the carrier's texts leave from: numbers in national form are of its country. */
export function readTextPart(pdu: PDU, sender: string): TextPart {
  const { esm_class = 0, data_coding = 0, short_message, message_payload } = pdu;
  const octets = (short_message?.length ? short_message : message_payload) ?? Buffer.alloc(0);
  const headerBytes = (esm_class & UDH_INDICATOR) === 0 ? 0 : (octets[0] ?? 0) + 1;
  const part = checkPlace(findInHeader(octets.subarray(1, headerBytes)) ?? findInParameters(pdu));
  return {
    from: readSmppAddress(pdu.source_addr_ton ?? 0, pdu.source_addr ?? "", sender),
    to: readSmppAddress(pdu.dest_addr_ton ?? 0, pdu.destination_addr ?? "", sender),
    text: decodeText(octets.subarray(headerBytes), data_coding),
    ...(part === undefined ? {} : { part }),
  };
}

/** `elements` is the header without its first octet: each is an octet of kind, one of length, and as many octets. */
function findInHeader(elements: Buffer): PartPlace | undefined {
  for (let rest = elements; rest.length >= 2; ) {
    const [kind, length = 0] = rest;
    const element = rest.subarray(2, 2 + length);
    const [total = 0, place = 0] = element.subarray(-2);
    if (kind === REFERENCE_8_BIT && element.length === 3) return { reference: element.readUInt8(0), total, place };
    if (kind === REFERENCE_16_BIT && element.length === 4) return { reference: element.readUInt16BE(0), total, place };
    rest = rest.subarray(2 + length);
  }
  return undefined;
}

function findInParameters({ sar_msg_ref_num, sar_total_segments, sar_segment_seqnum }: PDU): PartPlace | undefined {
  if (sar_msg_ref_num === undefined) return undefined;
  return { reference: sar_msg_ref_num, total: sar_total_segments ?? 0, place: sar_segment_seqnum ?? 0 };
}

/** A place that cannot be makes it a text of its own. */
function checkPlace(part: PartPlace | undefined): PartPlace | undefined {
  return part !== undefined && part.total > 1 && part.place >= 1 && part.place <= part.total ? part : undefined;
}
