// The layout of the documentation's pages, with header and sidebar, and their Content-Security-Policy.

import { type Html, html } from "./html.ts";

/** Allows scripts, styles, frames and requests of this server only; no frame around it, no foreign form targets, no scripted markup. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

export interface Frame {
  /** The page's title; the API's title is appended. */
  readonly title: string;
  readonly api: { readonly title: string; readonly version: string };
  readonly sidebar?: Html;
}

/** Renders a whole page. */
export function renderPage({ title, api, sidebar }: Frame, content: Html): string {
  const menu =
    sidebar === undefined ? "" : html`<button type="button" class="menu-button" popovertarget="menu">Menu</button>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === api.title ? title : html`${title} · ${api.title}`}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/client.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">${menu}<a class="brand" href="/docs">${api.title} <span>${api.version}</span></a>${sidebar === undefined ? "" : searchBox}</header>
<div${sidebar === undefined ? "" : html` class="frame"`}>${sidebar}<main id="content" tabindex="-1">
${content}</main></div>
</body>
</html>
`.text;
}

/** Shown by the script that searches. */
const searchBox = html`<div class="search" role="search" hidden><label class="visually-hidden" for="search">Search operations and errors</label>
<input id="search" type="search" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search"><kbd aria-hidden="true">/</kbd>
<ul id="results" role="listbox" aria-label="Search results" hidden></ul><p class="visually-hidden" role="status"></p></div>`;
