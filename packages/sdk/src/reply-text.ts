/** Reads the body of a reply as text, up to its size limit. */
import { type ErrorDetails, ReplyTooLargeError } from "./errors.ts";

/**
 * Reads a body as it arrives. The bytes are counted after decompression: the `Content-Length` of a reply is that of the
 * compressed body.
 *
 * @throws {ReplyTooLargeError} As soon as there are more than `maxReplyBytes`; the rest is not read.
 */
export async function readText(response: Response, maxReplyBytes: number, call: ErrorDetails): Promise<string> {
  const reader = response.body?.getReader?.();
  const decoder = new TextDecoder();
  // There may be no body, or something else in place of a Response.
  let text = reader ? "" : await response.text();
  let receivedBytes = text.length;
  for (;;) {
    if (receivedBytes > maxReplyBytes) {
      // Not awaited: the sender may take long to end the body.
      reader?.cancel().catch(() => {});
      throw new ReplyTooLargeError(
        `The reply (HTTP ${response.status}) is too large: ${receivedBytes} bytes have come, and maxReplyBytes allows ` +
          `${maxReplyBytes}. Ask for less, or allow more.`,
        call,
      );
    }
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) return text + decoder.decode();
    receivedBytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
}
