// Addresses as SMPP has them: digits or letters, with a type of number and a numbering plan (SMPP 3.4, 5.2.5 and 5.2.6).

import { parsePhoneNumber } from "../../../rules/contacts.ts";

const UNKNOWN = 0;
const INTERNATIONAL = 1;
const NETWORK_SPECIFIC = 3;
const ALPHANUMERIC = 5;
/** The numbering plan of E.164. */
const ISDN = 1;

export interface SmppAddress {
  readonly ton: number;
  readonly npi: number;
  readonly address: string;
}

/** The address of an E.164 number, of a short code or of a name. */
export function toSmppAddress(address: string): SmppAddress {
  if (address.startsWith("+")) return { ton: INTERNATIONAL, npi: ISDN, address: address.slice(1) };
  return { ton: /^\d+$/.test(address) ? NETWORK_SPECIFIC : ALPHANUMERIC, npi: UNKNOWN, address };
}

/** E.164 where it is an international number, or one of no type that reads as one; anything else stays as it is. */
export function readSmppAddress(ton: number, address: string): string {
  if (ton !== INTERNATIONAL && ton !== UNKNOWN) return address;
  return parsePhoneNumber(`+${address.replace(/^(\+|00)/, "")}`) ?? address;
}
