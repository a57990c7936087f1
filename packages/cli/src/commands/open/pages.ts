/** The pages of msgd that a browser can open. */
import { PROBLEM_PAGES } from "@msgctl/contract/constants";
import type { Catalog } from "../../model/catalog.ts";

/** Pages of the dashboard that take an id. */
const WITH_IDS = ["messages", "calls", "callbacks", "recipients"];
export const PAGES = [
  ...[
    "messages",
    "calls",
    "callbacks",
    "requests",
    "recipients",
    "registration",
    "voice",
    "overview",
    "health",
    "audit",
  ],
  ...["keys", "users", "simulator", "operations", "docs"],
] as const;

/**
 * The path of a page: `/dashboard/messages/msg_1`, `/docs/send/sms`. Undefined if there is no such page.
 */
export async function pagePath([page = "", first = "", second = ""]: readonly string[], catalog: Catalog) {
  const names = [first, second].filter((name) => name !== "");
  if (page === "docs") return docsPath(names, catalog);
  const isWhole = WITH_IDS.includes(page) ? names.length <= 1 : names.length === 0;
  if (!isWhole || (page === "recipients" && names.length === 0)) return undefined;
  return ["/dashboard", page, ...names.map(encodeURIComponent)].filter((part) => part !== "").join("/");
}

async function docsPath(names: readonly string[], { index, hint }: Catalog): Promise<string | undefined> {
  const [first = "", second] = names;
  if (names.length === 0) return "/docs";
  if (second === undefined) {
    if (["errors", "callbacks"].includes(first)) return `/docs/${first}`;
    return (await hint(first)) === undefined ? undefined : PROBLEM_PAGES + encodeURIComponent(first);
  }
  const group = index.groups.find(({ name }) => name === first);
  const command = group?.commands.find(({ name, aliases }) => [name, ...aliases].includes(second));
  return command && `/docs/${first}/${command.name}`;
}
