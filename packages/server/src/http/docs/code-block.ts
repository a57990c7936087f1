// Code to read and to copy.

import { highlight, type Language } from "./highlight.ts";
import { type Html, html } from "./html.ts";

/** A value of the contract's examples as text: JSON, or what is text already. */
export function exampleText(value: unknown): string {
  return typeof value === "string" ? value.trimEnd() : JSON.stringify(value, null, 2);
}

/** A block with a button that copies it; the button is shown where a script can do it. */
export function renderCode(text: string, language: Language, label: string): Html {
  return html`<div class="code"><button type="button" class="copy" aria-label="Copy ${label}" hidden>Copy</button><pre><code>${highlight(text, language)}</code></pre></div>
`;
}
