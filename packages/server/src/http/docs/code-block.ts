// Blocks of code.

import { highlight, type Language } from "./highlight.ts";
import { type Html, html } from "./html.ts";

/** Returns an example of the contract as text: a string as it is, anything else as JSON. */
export function exampleText(value: unknown): string {
  return typeof value === "string" ? value.trimEnd() : JSON.stringify(value, null, 2);
}

/** Renders a block with a copy button, which the script shows. */
export function renderCode(text: string, language: Language, label: string): Html {
  return html`<div class="code"><button type="button" class="copy" aria-label="Copy ${label}" hidden>Copy</button><pre><code>${highlight(text, language)}</code></pre></div>
`;
}
