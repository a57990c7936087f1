// The reply to a call, shown under its form.

import { showCopyButtons } from "./copy.ts";
import { element } from "./element.ts";
import { layOut } from "./json-text.ts";

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

/** Reads a reply up to the bound. */
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

export function showAnswer(place: Element, { status, ok, headers, text, isWhole, elapsedMs }: Answer): void {
  const code = ok ? undefined : codeOf(text);
  const help =
    code === undefined ? [] : [" ", element("a", { href: `/docs/errors/${encodeURIComponent(code)}` }, code)];
  const list = element("dl", { class: "headers" });
  for (const [name, value] of headers) list.append(element("dt", {}, name), element("dd", {}, value));
  place.replaceChildren(
    element(
      "p",
      { class: "outcome" },
      element("span", { class: ok ? "status is-good" : "status is-bad" }, String(status)),
      ...[...help, ` ${Math.round(elapsedMs)} ms`],
    ),
    element("details", {}, element("summary", {}, `${headers.length} headers`), list),
    ...(text === "" ? [] : [bodyBlock(layOut(text))]),
    ...(isWhole ? [] : [element("p", { class: "soft" }, "Only the beginning is shown.")]),
  );
  showCopyButtons(place);
}

export function showFailure(place: Element, message: string): void {
  place.replaceChildren(element("p", { class: "outcome" }, message));
}

function bodyBlock(text: string): HTMLElement {
  const button = element(
    "button",
    { type: "button", class: "copy", "aria-label": "Copy the reply", hidden: true },
    "Copy",
  );
  return element("div", { class: "code" }, button, element("pre", {}, element("code", {}, text)));
}

function codeOf(text: string): string | undefined {
  try {
    const { code } = Object(JSON.parse(text)) as { code?: unknown };
    return typeof code === "string" && /^\w+$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}
