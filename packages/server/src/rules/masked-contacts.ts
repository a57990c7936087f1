// A phone number or email address of which enough is left for whoever knows it.

const HIDDEN = "•••";

/** `+1202•••00` or `a•••@example.com`; of what is neither, the first character. */
export function maskContact(contact: string): string {
  const at = contact.lastIndexOf("@");
  if (at > 0) return `${firstOf(contact)}${HIDDEN}${contact.slice(at)}`;
  if (/^\+\d{7,15}$/.test(contact)) return `${contact.slice(0, 5)}${HIDDEN}${contact.slice(-2)}`;
  return `${firstOf(contact)}${HIDDEN}`;
}

function firstOf(text: string): string {
  return Array.from(text.slice(0, 2))[0] ?? "";
}
