// A reply as it is shown to whoever tries an operation: all that came, up to a bound.

/** How much of a reply is read and shown. */
const MOST_BYTES = 256 * 1_024;

export interface Answer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly isWhole: boolean;
  readonly elapsedMs: number;
}

/** Reads a reply up to the bound. `startedAt` is by `performance.now`. */
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

/** The code of a refusal; undefined for a success, or what is none of this server's. */
export function codeOf({ ok, text }: Pick<Answer, "ok" | "text">): string | undefined {
  if (ok) return undefined;
  try {
    const { code } = Object(JSON.parse(text)) as { code?: unknown };
    return typeof code === "string" && /^\w+$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}
