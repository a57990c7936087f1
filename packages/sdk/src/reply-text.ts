/** The body of a reply as text, no longer than its bound. */
import { type ErrorDetails, ReplyTooLargeError } from "./errors.ts";

/**
 * Reads a body as it comes. The bytes are counted once they are unpacked: a length that the reply tells is that of what
 * was packed.
 *
 * @throws {ReplyTooLargeError} As soon as there are more than `maxReplyBytes`; the rest is not taken.
 */
export async function readText(response: Response, maxReplyBytes: number, call: ErrorDetails): Promise<string> {
  const reader = response.body?.getReader?.();
  const check = (receivedBytes: number) => {
    if (receivedBytes <= maxReplyBytes) return;
    // Whoever sends may be slow to hear of it.
    reader?.cancel().catch(() => {});
    throw new ReplyTooLargeError(
      `The reply (HTTP ${response.status}) is too large: ${receivedBytes} bytes have come, and maxReplyBytes allows ` +
        `${maxReplyBytes}. Ask for less, or allow more.`,
      call,
    );
  };
  if (!reader) {
    // There is no body, or somebody else gave this in place of a Response.
    const text = await response.text();
    check(text.length);
    return text;
  }
  const decoder = new TextDecoder();
  let text = "";
  let receivedBytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    receivedBytes += value.length;
    check(receivedBytes);
    text += decoder.decode(value, { stream: true });
  }
}
