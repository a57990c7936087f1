/** The body of a reply as text, no longer than its bound. */

/**
 * Reads a body as it comes. The bytes are counted once they are unpacked: a length that the reply tells is that of what
 * was packed.
 *
 * @param tooLarge - Makes what is thrown as soon as there are more than `maxBytes`; the rest is not taken.
 */
export async function readText(
  response: Response,
  maxBytes: number,
  tooLarge: (receivedBytes: number) => Error,
): Promise<string> {
  const reader = response.body?.getReader?.();
  if (!reader) {
    // There is no body, or somebody else gave this in place of a Response.
    const text = await response.text();
    if (text.length > maxBytes) throw tooLarge(text.length);
    return text;
  }
  const decoder = new TextDecoder();
  let text = "";
  let receivedBytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    receivedBytes += value.length;
    if (receivedBytes > maxBytes) {
      // Whoever sends may be slow to hear of it.
      reader.cancel().catch(() => {});
      throw tooLarge(receivedBytes);
    }
    text += decoder.decode(value, { stream: true });
  }
}
