// The search box of the documentation: `/` focuses it, arrows select a result, Enter opens it, Escape clears or leaves.

import { element } from "./element.ts";

/** An entry of search.json, which the generator of the pages writes. */
export interface SearchEntry {
  readonly title: string;
  /** Shown under the title. */
  readonly detail: string;
  readonly href: string;
  /** Further terms by which the entry is found. */
  readonly terms: readonly string[];
}

const MOST = 12;

/** Returns the entries that match every word of the query, best first: equal names, then prefixes, then substrings. */
export function findEntries(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const wanted = query.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (wanted === "") return [];
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

/** Ranks how well an entry matches; 0 if it does not match. */
function rankOf({ title, detail, terms }: SearchEntry, wanted: string): number {
  const names = [title, detail, ...detail.split(" "), ...terms].map((text) => text.toLowerCase());
  if (names.includes(wanted)) return 5;
  if (names.some((name) => name.startsWith(wanted))) return 4;
  if (names.some((name) => name.includes(wanted))) return 3;
  const all = names.join(" ");
  if (!wanted.split(" ").every((word) => all.includes(word))) return 0;
  return wanted.split(" ").every((word) => `${title} ${detail}`.toLowerCase().includes(word)) ? 2 : 1;
}

export function startSearch(open: (url: URL) => void): void {
  const box = document.querySelector<HTMLElement>(".find");
  const input = box?.querySelector("input");
  const list = box?.querySelector<HTMLElement>('[role="listbox"]');
  const status = box?.querySelector<HTMLElement>('[role="status"]');
  if (!box || !input || !list || !status) return;
  box.hidden = false;

  let entries: Promise<readonly SearchEntry[]> | undefined;
  let options: HTMLElement[] = [];
  let active = -1;

  function activate(index: number): void {
    active = index;
    for (const [position, option] of options.entries())
      option.setAttribute("aria-selected", String(position === index));
    const option = options[index];
    if (option === undefined) input?.removeAttribute("aria-activedescendant");
    else input?.setAttribute("aria-activedescendant", option.id);
    option?.scrollIntoView({ block: "nearest" });
  }

  function showResults(found: readonly SearchEntry[], isAsked: boolean): void {
    options = found.map(({ title, detail, href }, index) =>
      element(
        "li",
        { role: "option", id: `result-${index}`, "data-href": href, "aria-selected": "false" },
        element("span", {}, title),
        element("code", {}, detail),
      ),
    );
    list?.replaceChildren(...options);
    if (list) list.hidden = options.length === 0;
    input?.setAttribute("aria-expanded", String(options.length > 0));
    const count = options.length === 1 ? "1 result" : `${options.length || "No"} results`;
    if (status) status.textContent = isAsked ? count : "";
    box?.classList.toggle("is-empty", isAsked && options.length === 0);
    activate(options.length > 0 ? 0 : -1);
  }

  /** Shows the results. Resolves to false if the query has changed in the meantime. */
  async function search(): Promise<boolean> {
    const query = input?.value ?? "";
    entries ??= loadEntries();
    const known = await entries.catch(() => {
      entries = undefined;
      return [];
    });
    if (input?.value !== query) return false;
    showResults(findEntries(known, query), query.trim() !== "");
    return true;
  }

  function choose(option: HTMLElement | undefined): void {
    const { href } = option?.dataset ?? {};
    if (href === undefined) return;
    clear();
    input?.blur();
    open(new URL(href, location.href));
  }

  function clear(): void {
    if (input) input.value = "";
    showResults([], false);
  }

  input.addEventListener("focus", () => void search());
  input.addEventListener("input", () => void search());
  input.addEventListener("blur", () => showResults([], false));
  input.addEventListener("keydown", (event) => {
    const offsets: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const offset = offsets[event.key];
    if (offset !== undefined && options.length > 0) {
      event.preventDefault();
      activate((active + offset + options.length) % options.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (options.length > 0) choose(options[active]);
      // the search index may not be loaded yet
      else void search().then((isShown) => isShown && choose(options[active]));
    } else if (event.key === "Escape") {
      event.preventDefault();
      if (input.value === "") input.blur();
      else clear();
    }
  });
  // keep the focus in the input: the list closes when the input loses it
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    if (event.target instanceof Element) choose(event.target.closest<HTMLElement>("[role=option]") ?? undefined);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    input.focus();
  });
}

async function loadEntries(): Promise<readonly SearchEntry[]> {
  const reply = await fetch("/docs/search.json");
  if (!reply.ok) throw new Error(`the search index was answered with ${reply.status}`);
  return (await reply.json()) as readonly SearchEntry[];
}

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input, textarea, select, dialog[open]") !== null;
}
