// Reads the server's reply to an operation that the user tries, up to a maximum size.

/** Maximum number of bytes of a reply that are read and shown. */
const MOST_BYTES = 256 * 1_024;

export interface Answer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly isWhole: boolean;
  readonly elapsedMs: number;
}

/** Reads a reply up to the maximum size. `startedAt` is the value of `performance.now()` before the request. */
export async function readAnswer(reply: Response, startedAt: number): Promise<Answer> {
  const { text, isWhole } = await readText(reply);
  const { status, ok } = reply;
  return { status, ok, headers: [...reply.headers], text, isWhole, elapsedMs: performance.now() - startedAt };
}

async function readText(reply: Response): Promise<{ text: string; isWhole: boolean }> {
  const reader = reply.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    text += decoder.decode(value, { stream: true });
    if (size > MOST_BYTES) {
      await reader.cancel();
      return { text: text.slice(0, MOST_BYTES), isWhole: false };
    }
  }
  return { text, isWhole: true };
}

/** The code of a refusal; undefined for a success, or for a reply that did not come from this server. */
export function codeOf({ ok, text }: Pick<Answer, "ok" | "text">): string | undefined {
  if (ok) return undefined;
  try {
    const { code } = Object(JSON.parse(text)) as { code?: unknown };
    return typeof code === "string" && /^\w+$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}
