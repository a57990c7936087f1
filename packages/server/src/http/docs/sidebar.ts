import { type Html, html } from "./html.ts";

/** A page's link in the sidebar. */
export interface SidebarLink {
  readonly title: string;
  readonly href: string;
}

export interface SidebarGroup {
  readonly title: string;
  readonly links: readonly SidebarLink[];
}

/** Renders the links to all pages, with `current` marked. On a narrow screen it is hidden behind the menu button. */
export function renderSidebar(groups: readonly SidebarGroup[], current: string): Html {
  return html`<nav id="menu" class="sidebar" aria-label="Documentation" popover>${groups.map(
    ({ title, links }) => html`<p class="sidebar-title">${title}</p>
<ul>${links.map(
      (
        link,
      ) => html`<li><a href="${link.href}"${link.href === current ? html` aria-current="page"` : ""}>${link.title}</a></li>
`,
    )}</ul>
`,
  )}</nav>
`;
}
