// What the documentation's pages share: one style, no script, nothing from anywhere else.

import { hash } from "node:crypto";
import { Html, html } from "./html.ts";

const style = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #0b62c4; }
@media (prefers-color-scheme: dark) { :root { --accent: #7db7ff; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 68rem; padding: 1rem; }
a { color: var(--accent); }
code, pre { font: 0.875em/1.45 ui-monospace, monospace; }
pre { background: var(--soft); border: 1px solid var(--line); overflow: auto; padding: 0.75rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: 0.3rem 0.75rem 0.3rem 0; text-align: left; vertical-align: top; }
td:first-child { min-width: 9rem; }
td p { margin: 0; }
section { border-top: 1px solid var(--line); margin-top: 2rem; }
nav ul { columns: 20rem; list-style: none; padding: 0; }
nav li { break-inside: avoid; padding-bottom: 0.5rem; }
nav code { display: block; }
code { overflow-wrap: anywhere; }
pre code { overflow-wrap: normal; }
.method { font-weight: 700; }
.soft { opacity: 0.75; }
`;

/** Nothing may be loaded, run, framed or sent; the page's own style alone counts. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A whole page. */
export function page(title: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${new Html(style)}</style>
</head>
<body>
${content}
</body>
</html>
`.text;
}
