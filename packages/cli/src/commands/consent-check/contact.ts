/** Normalizes a contact to the form under which the service stores consent, so that any spelling finds it. */
import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { findFormat } from "../../flags/formats.ts";

export type Contact = { kind: "phone" | "email"; contact: string };

/** Describes valid contacts in messages. */
export const CONTACT_EXPECTED = "a phone number in E.164 form, such as +12025550100, or an email address";

/** Returns undefined for anything but an E.164 phone number or an email address. */
export function readContact(text: string): Contact | undefined {
  const trimmed = text.trim();
  if (findFormat("e164")?.accepts(trimmed)) return { kind: "phone", contact: trimmed };
  const address = parseEmailAddress(trimmed);
  return address === undefined ? undefined : { kind: "email", contact: address };
}
