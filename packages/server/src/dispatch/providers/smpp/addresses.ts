// Addresses as SMPP has them: digits or letters, with a type of number and a numbering plan (SMPP 3.4, 5.2.5 and 5.2.6).

import {
  callingCodeOf,
  isValidPhoneNumber,
  parseNationalNumber,
  parsePhoneNumber,
} from "../../../rules/phone-numbers.ts";

const UNKNOWN = 0;
const INTERNATIONAL = 1;
const NATIONAL = 2;
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

/** Digits of a number without its country in North America, and of many with it elsewhere. */
const AMBIGUOUS_DIGITS = 10;

/**
 * E.164 where it reads as a number: an international one, or one of the country of `sender`, which texts leave from. Ten digits
 * that do not begin with that country's code are never read as another country's number. Anything else stays as it is.
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

/** Some carriers write numbers of mobiles in Mexico with the 1 that was dialled before 2019. */
function withoutMobilePrefix(digits: string): string {
  return digits.replace(/^521(?=\d{10}$)/, "52");
}
