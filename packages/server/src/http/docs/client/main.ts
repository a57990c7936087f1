// The documentation's script: copying, search and trying operations. Every page can be read without it.

import { showCopyButtons } from "./copy.ts";
import { keepLanguage } from "./language.ts";
import { followLinks } from "./navigation.ts";
import { showOrigin } from "./origin.ts";
import { startSearch } from "./search-box.ts";
import { startTryIt } from "./try-it.ts";

function enhance(page: ParentNode): void {
  showCopyButtons(page);
  showOrigin(page);
  keepLanguage(page);
  startTryIt(page);
}

/** Scrolls the sidebar, which may be longer than the screen. */
function showCurrentLink(): void {
  const sidebar = document.querySelector<HTMLElement>("#menu");
  const link = sidebar?.querySelector<HTMLElement>("[aria-current]");
  if (sidebar && link) sidebar.scrollTop = link.offsetTop - sidebar.clientHeight / 2;
}

enhance(document);
showCurrentLink();
startSearch(followLinks(enhance));
