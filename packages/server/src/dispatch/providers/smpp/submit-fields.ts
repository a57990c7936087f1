// One message as the submit_sm PDUs that carry it.

import { createHash } from "node:crypto";
import type { SmppSettings } from "../../../rules/carrier-settings.ts";
import type { Submission } from "../provider.ts";
import { toSmppAddress } from "./addresses.ts";
import { type EncodedText, encodeText } from "./text-coding.ts";

const UDH_INDICATOR = 0x40;
/** A receipt of the end, whatever it is. */
const RECEIPT_REQUESTED = 1;
const SECOND_MS = 1_000;
/** Carriers refuse more (ESME_RINVEXPIRY) or cut it to what they keep a text for: two days with most. */
const LONGEST_VALIDITY_MS = 48 * 60 * 60 * SECOND_MS;
/** One that is over when it arrives would be refused too. */
const SHORTEST_VALIDITY_MS = 60 * SECOND_MS;

/** The fields of the PDUs of a message, in the order of its parts. `now` is in epoch milliseconds. */
export function toSubmitFields(
  { clientReference, sender, to, content, giveUpAt }: Submission,
  { sender: ownSender, longTexts }: SmppSettings,
  now: number,
): readonly object[] {
  const source = toSmppAddress(sender ?? ownSender);
  const destination = toSmppAddress(to);
  const text = encodeText(content);
  const fields = {
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: source.address,
    dest_addr_ton: destination.ton,
    dest_addr_npi: destination.npi,
    destination_addr: destination.address,
    validity_period: formatValidity(giveUpAt - now),
    registered_delivery: RECEIPT_REQUESTED,
    data_coding: text.dataCoding,
  };
  return toPartFields(text, longTexts, clientReference).map((part) => ({ ...fields, ...part }));
}

function toPartFields(
  { parts }: EncodedText,
  longTexts: SmppSettings["longTexts"],
  clientReference: string,
): readonly object[] {
  if (parts.length === 1) return [{ short_message: parts[0] }];
  if (longTexts === "payload") return [{ message_payload: Buffer.concat(parts) }];
  const reference = chooseReference(clientReference);
  const total = parts.length;
  return parts.map((part, index) => {
    const place = index + 1;
    if (longTexts === "sar") {
      const sar = { sar_msg_ref_num: reference, sar_total_segments: total, sar_segment_seqnum: place };
      return { short_message: part, ...sar };
    }
    // length of the header, then element 0 (3GPP TS 23.040, 9.2.3.24.1) with 3 octets
    const header = Buffer.from([5, 0, 3, reference & 0xff, total, place]);
    return { esm_class: UDH_INDICATOR, short_message: Buffer.concat([header, part]) };
  });
}

/** The same each time the message is sent, so that a phone joins the parts of two attempts. */
function chooseReference(clientReference: string): number {
  return createHash("sha256").update(clientReference).digest().readUInt16BE(0);
}

/**
 * A time from now on, YYMMDDhhmmss000R (SMPP 3.4, 7.1.1): a time of day would be read by the carrier's clock, which may be in
 * another zone than it says.
 */
function formatValidity(leftMs: number): string {
  const validityMs = Math.min(Math.max(leftMs, SHORTEST_VALIDITY_MS), LONGEST_VALIDITY_MS);
  const seconds = Math.floor(validityMs / SECOND_MS);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  return `0000${[days, hours, minutes, seconds % 60].map((unit) => String(unit).padStart(2, "0")).join("")}000R`;
}
