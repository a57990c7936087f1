// Renders the contract's pages as HTML, in files that the build puts next to msgd, which serves them below /docs.
import type { Contract, Problem } from "../../model.ts";
import { composePages, ERRORS, errorHref, hrefOf } from "./compose.ts";
import { counting } from "./fields.ts";
import { renderForm } from "./form.ts";
import { type Html, highlight, html, inline, prose } from "./html.ts";
import { icons } from "./icons.ts";
import type { Block, Calls, Field, Language, Page, Section } from "./page.ts";

/** The text of each file: `/docs/send/sms` is in `send/sms.html`, the search index in `search.json`. */
export function renderSite(contract: Contract): Map<string, string> {
  const pages = composePages(contract);
  const files = pages.map((page): [string, string] => [
    `${page.href.replace(/^\/docs\/?/, "") || "index"}.html`,
    renderPage(contract, page, pages),
  ]);
  return new Map([...files, ["search.json", JSON.stringify(pages.flatMap(({ entries }) => entries))]]);
}

function renderPage({ title, version }: Contract, page: Page, pages: readonly Page[]): string {
  const content = page.samples === undefined ? renderGuide(page) : renderOperation(page, page.samples);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title === title ? title : `${page.title} · ${title}`}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/client.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<div class="frame">
${renderSide(page, pages)}<div class="body">
<header class="top"><button type="button" class="menu bare" popovertarget="side" aria-label="Menu">${icons.menu}</button>${searchBox}<span class="tenant">${title} ${version}</span><a class="button" href="/dashboard" hidden>Dashboard</a></header>
<main id="content" tabindex="-1">
${content}</main></div></div>
</body>
</html>
`.text;
}

/** Shown by the script that searches. */
const searchBox = html`<search class="find" hidden><label class="visually-hidden" for="search">Search operations and errors</label>${icons.search}
<input id="search" type="search" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search operations and errors"><kbd aria-hidden="true">/</kbd>
<ul id="results" role="listbox" aria-label="Search results" hidden></ul><p class="visually-hidden" role="status"></p></search>`;

/** The links to all pages. In a narrow window they are a popover, which the menu button opens without a script. */
function renderSide(page: Page, pages: readonly Page[]): Html {
  const current = page.menu === undefined ? ERRORS : page.href;
  const groups = [...new Set(pages.flatMap(({ menu }) => menu?.group ?? []))];
  const linkTo = ({ href, menu }: Page) =>
    html`<li><a href="${href}"${href === current ? html` aria-current="page"` : ""}>${menu?.title}</a></li>
`;
  return html`<div id="side" class="side" popover><a class="brand" href="/docs"><img src="/docs/icon.svg" alt="" width="22" height="22">msgd</a>
<nav aria-label="Documentation">${groups.map(
    (group) => html`<h2>${group}</h2>
<ul>${pages.filter(({ menu }) => menu?.group === group).map(linkTo)}</ul>
`,
  )}</nav></div>
`;
}

function renderGuide({ above, title, route, intro, sections }: Page): Html {
  return html`<article class="guide">${above === undefined ? "" : html`<p class="above">${inline(above)}</p>`}<h1>${title}</h1>
${route === undefined ? "" : html`<p class="route"><span class="method">${route.method}</span> <code>${route.path}</code></p>`}
${intro.map(renderBlock)}${sections.map(renderSection)}</article>
`;
}

/** The reference on the left, an example call on the right, and a form to try it. */
function renderOperation({ above = "", title, route, intro, sections }: Page, samples: readonly Section[]): Html {
  return html`<article class="operation">
<header class="intro"><p class="above">${inline(above)}</p><h1>${title}</h1>
<p class="route"><span class="method">${route?.method}</span> <code>${route?.path}</code> <a class="try-link" href="#try" hidden>Try it</a></p>
${intro.map(renderBlock)}</header>
<div class="samples">${samples.map(renderSection)}</div>
<div class="reference">${sections.map(renderSection)}</div>
</article>
`;
}

function renderSection({ id, title, status, blocks }: Section): Html {
  const [first] = blocks;
  if (first?.kind === "form") return renderForm(first.operation);
  return html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}${status === undefined ? "" : html` <span class="chip" data-tone="good">${status}</span>`}</h2>
${blocks.map(renderBlock)}</section>
`;
}

function renderBlock(block: Block): Html {
  switch (block.kind) {
    case "text":
      return block.look === undefined ? prose(block.text) : html`<p class="${block.look}">${inline(block.text)}</p>`;
    case "heading":
      return html`<h3>${block.text}</h3>`;
    case "list":
      return html`<ul>${block.items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`;
    case "code":
      return renderCode(block.text, block.language, block.label);
    case "variables":
      return html`<div data-origin="${block.server}">${renderCode(block.text, "sh", "the variables")}</div>`;
    case "calls":
      return renderCalls(block.calls);
    case "fields":
      return renderFields(block.fields, block.isRequest);
    case "operations":
      return html`<ul class="index">${block.operations.map(
        (operation) =>
          html`<li><a href="${hrefOf(operation)}">${operation.summary}</a> <code><span class="method">${operation.method}</span> ${operation.path}</code></li>
`,
      )}</ul>
`;
    case "errors":
      return html`<ul class="errors">${block.problems.map(renderError)}</ul>`;
    case "fold": {
      const look = block.block.kind === "code" ? "example" : "inner";
      return html`<details class="${look}"><summary>${block.title}</summary>
${renderBlock(block.block)}</details>
`;
    }
    case "form":
      return renderForm(block.operation);
  }
}

function renderError({ status, code, title, cause }: Problem): Html {
  return html`<li><p><span class="chip">${status}</span> <a href="${errorHref(code)}"><code>${code}</code></a> <span class="quiet">${title}</span></p>${prose(cause)}</li>
`;
}

/** A block with a copy button, which the script shows. */
function renderCode(text: string, language: Language, label: string): Html {
  return html`<div class="code"><button type="button" class="copy" aria-label="Copy ${label}" hidden>Copy</button><pre class="content whole"><code>${highlight(text, language)}</code></pre></div>
`;
}

const LANGUAGES = [
  { key: "curl", title: "curl", language: "sh" },
  { key: "msgctl", title: "msgctl", language: "sh" },
  { key: "typescript", title: "TypeScript", language: "ts" },
] as const;

/** A call in three languages, one of which is shown. Radio buttons select it, so that no script is needed. */
function renderCalls(calls: Calls): Html {
  const choices = LANGUAGES.map(
    ({ key, title }, index) =>
      html`<input type="radio" name="language" id="as-${key}" value="${key}"${index === 0 ? html` checked` : ""}><label for="as-${key}">${title}</label>`,
  );
  const panels = LANGUAGES.map(
    ({ key, title, language }) =>
      html`<div class="panel ${key}">${renderCode(calls[key], language, `the ${title} example`)}</div>`,
  );
  return html`<div class="tabs" role="radiogroup" aria-label="Show the request as">${choices}${panels}</div>
`;
}

/** Required fields are marked in a request; a view always has all of its fields. */
function renderFields(fields: readonly Field[], isRequest: boolean): Html {
  if (fields.length === 0) return html``;
  return html`<ul class="fields">${fields.map((field) => renderField(field, isRequest))}</ul>
`;
}

function renderField(field: Field, isRequest: boolean): Html {
  const { name, type, description, fields } = field;
  const marks = [isRequest && field.isRequired ? "required" : "", field.isSecret ? "secret" : ""].filter(Boolean);
  const inner = html`<details class="inner"><summary>${counting(fields.length, "field")} <span class="visually-hidden">of ${name}</span></summary>
${renderFields(fields, isRequest)}</details>`;
  return html`<li class="field"><p class="field-head"><code class="field-name">${name}</code> <span class="field-type">${type}</span>${marks.map((mark) => html` <span class="required">${mark}</span>`)}</p>
${renderLimits(field)}${prose(description)}${renderValues(field)}${fields.length === 0 ? "" : inner}</li>
`;
}

function renderLimits({ limits, pattern }: Field): Html | undefined {
  const matches = pattern === undefined ? [] : [html`matches <code>${pattern}</code>`];
  const parts = [...limits.map((limit) => html`${limit}`), ...matches];
  if (parts.length === 0) return undefined;
  return html`<p class="limits">${parts.map((part, index) => html`${index > 0 ? " · " : ""}${part}`)}</p>`;
}

function renderValues({ values, isOpen }: Field): Html | undefined {
  if (values.length === 0) return undefined;
  const codes = values.map((value) => html`<code>${value}</code> `);
  return html`<p class="values">${values.length === 1 && !isOpen ? "Always" : "One of"} ${codes}${isOpen ? "(new values may be added)" : ""}</p>`;
}
