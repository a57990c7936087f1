// The documentation's script: copies code, searches, and sends operations. Every page is readable without it.

import { showCopyButtons } from "./element.ts";
import { followLinks } from "./navigation.ts";
import { startSearch } from "./search-box.ts";
import { startTryIt } from "./try-it.ts";

let chosen: string | undefined;

/** Keeps the chosen example language from page to page, in memory only. */
function keepLanguage(page: ParentNode): void {
  for (const input of page.querySelectorAll<HTMLInputElement>('input[name="language"]')) {
    if (input.value === chosen) input.checked = true;
    input.addEventListener("change", () => {
      chosen = input.value;
    });
  }
}

/** Replaces the contract's server URL with the page's origin. */
function showOrigin(page: ParentNode): void {
  for (const block of page.querySelectorAll<HTMLElement>("[data-origin]")) {
    const code = block.querySelector("code");
    const { origin = "" } = block.dataset;
    if (!code || origin === "") continue;
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode as Text;
      text.data = text.data.replace(origin, location.origin);
    }
  }
}

function enhance(page: ParentNode): void {
  showCopyButtons(page);
  showOrigin(page);
  keepLanguage(page);
  startTryIt(page);
}

/** Scrolls the side navigation to the current page's link: it may be longer than the screen. */
function showCurrentLink(): void {
  const side = document.querySelector<HTMLElement>("#side");
  const link = side?.querySelector<HTMLElement>("[aria-current]");
  if (side && link) side.scrollTop = link.offsetTop - side.clientHeight / 2;
}

enhance(document);
showCurrentLink();
startSearch(followLinks(enhance));
