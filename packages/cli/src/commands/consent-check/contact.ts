/** Normalizes a contact to the form under which the service stores consent, so that any spelling finds it. */
import { domainToASCII } from "node:url";
import { findFormat } from "../../flags/formats.ts";

export type Contact = { kind: "phone" | "email"; contact: string };

/** What a contact may be, for messages. */
export const CONTACT_EXPECTED = "a phone number in E.164 form, such as +12025550100, or an email address";

/** Returns undefined for anything but an E.164 phone number or an email address. */
export function readContact(text: string): Contact | undefined {
  const trimmed = text.trim();
  if (findFormat("e164")?.accepts(trimmed)) return { kind: "phone", contact: trimmed };
  if (/\s/.test(trimmed) || !findFormat("email")?.accepts(trimmed)) return undefined;
  const address = trimmed.toLowerCase();
  const at = address.lastIndexOf("@");
  // domainToASCII parses its argument as a URL's host, which would end at a slash.
  const domain = /[/?#%:]/.test(address.slice(at)) ? "" : domainToASCII(address.slice(at + 1));
  return domain === "" ? undefined : { kind: "email", contact: `${address.slice(0, at)}@${domain}` };
}
