// One call in three languages, one of them shown. The choice is a group of radio buttons, so that it needs no script.

import { renderCode } from "./code-block.ts";
import { type Html, html } from "./html.ts";
import type { RequestExample } from "./request-example.ts";

const languages = [
  { key: "curl", title: "curl", language: "sh" },
  { key: "msgctl", title: "msgctl", language: "sh" },
  { key: "typescript", title: "TypeScript", language: "ts" },
] as const;

export function renderTabs(example: RequestExample): Html {
  const choices = languages.map(
    ({ key, title }, index) =>
      html`<input type="radio" name="language" id="as-${key}" value="${key}"${index === 0 ? html` checked` : ""}><label for="as-${key}">${title}</label>`,
  );
  const panels = languages.map(
    ({ key, title, language }) =>
      html`<div class="panel ${key}">${renderCode(example[key], language, `the ${title} example`)}</div>`,
  );
  return html`<div class="tabs" role="radiogroup" aria-label="Show the request as">${choices}${panels}</div>
`;
}
