/** The contact by which consent is kept, of a message's recipient: an address is sent to as it was written. */
export function contactOf(recipient: string): string {
  // not what stands for one who was erased
  return recipient.includes("@") ? recipient.toLowerCase() : recipient;
}
