// Renders the contract's pages for agents: each operation and each error as a Markdown document with an address of its own.
import type { Contract } from "../../model.ts";
import { createRenderer, renderWhole } from "./as-markdown.ts";
import { composePages, ERRORS } from "./compose.ts";
import type { Page, Section } from "./page.ts";

export interface Resource {
  /** `msgctl://docs/send/sms` */
  readonly uri: string;
  readonly title: string;
  /** One line. */
  readonly description: string;
  readonly text: string;
}

export function renderResources(contract: Contract): Resource[] {
  const { operations, problems } = contract;
  const pages = composePages(contract).filter(
    ({ samples, href }) => samples !== undefined || href.startsWith(`${ERRORS}/`),
  );
  const known = new Set(pages.map(({ href }) => href));
  const render = createRenderer((href) => {
    const [path = ""] = href.split("#", 1);
    return known.has(path) ? uriOf(path) : undefined;
  });
  const lines = new Map([
    ...operations.map(({ summary, method, path }) => [summary, `${method} ${path}`] as const),
    ...problems.map(({ code, title }) => [code, title] as const),
  ]);
  return pages.map((page) => ({
    uri: uriOf(page.href),
    title: page.title,
    description: lines.get(page.title) ?? lines.get(page.href.slice(ERRORS.length + 1)) ?? page.title,
    text: `${renderWhole(withoutCalls(page), render).join("\n\n")}\n`,
  }));
}

function uriOf(href: string): string {
  return `msgctl:/${href}`;
}

/** An agent calls a tool, not curl. The examples of replies stay. */
function withoutCalls(page: Page): Page {
  const kept = (sections: readonly Section[]) =>
    sections
      .map((section) => ({ ...section, blocks: section.blocks.filter(({ kind }) => kind !== "calls") }))
      .filter(({ blocks }) => blocks.length > 0);
  return { ...page, sections: kept([...(page.samples ?? []), ...page.sections]) };
}
