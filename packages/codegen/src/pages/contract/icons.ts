// The icons of the pages, which are those of the dashboard.
import { type IconNode, Menu, Search } from "lucide";
import { type Html, html } from "./html.ts";

/** Hidden from screen readers: a label says the same. */
function renderIcon(shapes: IconNode): Html {
  const attributesOf = (attributes: IconNode[number][1]) =>
    Object.entries(attributes).map(([name, value]) => html` ${name}="${value}"`);
  return html`<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shapes.map(
    ([name, attributes]) => html`<${name}${attributesOf(attributes)}></${name}>`,
  )}</svg>`;
}

export const icons = { menu: renderIcon(Menu), search: renderIcon(Search) };
