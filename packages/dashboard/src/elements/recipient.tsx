// Recipients as people write them. A number within the tenant's country is written without its country code.

import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import { useSession } from "../shell/session.ts";
import { toVisible } from "./visible-text.ts";

/** Formatted numbers, the oldest of which are forgotten. Formatting one takes some 20 µs. */
const known = new Map<string, string>();
const MOST_KNOWN = 2_000;

/** Formats a number in E.164 as people in the country write it: `(202) 555-0100`. Returns other texts unchanged. */
export function formatRecipient(contact: string, callingCode: string | null): string {
  if (!contact.startsWith("+")) return toVisible(contact);
  const key = `${callingCode} ${contact}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const shown = formatNumber(contact, callingCode);
  if (known.size >= MOST_KNOWN) known.delete(known.keys().next().value ?? "");
  known.set(key, shown);
  return shown;
}

function formatNumber(contact: string, callingCode: string | null): string {
  const number = parsePhoneNumberFromString(contact);
  if (number === undefined) return toVisible(contact);
  return number.countryCallingCode === callingCode ? number.formatNational() : number.formatInternational();
}

/** A recipient. Copying it yields its normal form. */
export function Recipient({ contact }: { readonly contact: string }) {
  const { callingCode } = useSession();
  const shown = formatRecipient(contact, callingCode);
  return (
    <bdi
      title={shown === contact ? undefined : contact}
      onCopy={(event) => {
        if (document.getSelection()?.toString().trim() !== shown) return;
        event.preventDefault();
        event.clipboardData?.setData("text/plain", contact);
      }}
    >
      {shown}
    </bdi>
  );
}
