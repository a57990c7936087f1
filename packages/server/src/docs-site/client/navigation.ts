// Follows links between pages of the documentation by replacing the content. A page load would lose the reader's
// credential and language, which are only in the page's memory.

import { isTyping } from "./search-box.ts";

/** Opens links without a page load. Returns a function that opens a URL. @param enhance called with the new content */
export function followLinks(enhance: (page: ParentNode) => void): (url: URL) => void {
  let asked = 0;
  let shown = location.pathname;

  async function show(url: URL, { isNew }: { isNew: boolean }): Promise<void> {
    asked += 1;
    const mine = asked;
    const page = await load(url).catch(() => undefined);
    // the reader has opened another page in the meantime
    if (mine !== asked) return;
    const content = page?.querySelector("main");
    const side = page?.querySelector("#side");
    const [oldContent, oldSide] = [document.querySelector("main"), document.querySelector<HTMLElement>("#side")];
    if (!page || !content || !side || !oldContent || !oldSide) {
      location.assign(url);
      return;
    }
    if (isNew) history.pushState(null, "", url);
    shown = url.pathname;
    const { scrollTop } = oldSide;
    document.title = page.title;
    oldContent.replaceWith(content);
    oldSide.replaceWith(side);
    side.scrollTop = scrollTop;
    enhance(content);
    reveal(url, content);
  }

  function open(url: URL): void {
    if (url.pathname === shown) location.assign(url);
    else void show(url, { isNew: true });
  }

  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || !isPage(url.pathname) || url.pathname === shown) return;
    event.preventDefault();
    open(url);
  });
  addEventListener("popstate", () => {
    // the browser itself handles navigation within a page
    if (location.pathname !== shown) void show(new URL(location.href), { isNew: false });
  });
  return open;
}

function isPage(path: string): boolean {
  return path === "/docs" || path.startsWith("/docs/");
}

function reveal(url: URL, content: HTMLElement): void {
  const target = url.hash === "" ? null : document.getElementById(decodeURIComponent(url.hash.slice(1)));
  if (target) {
    target.scrollIntoView();
    return;
  }
  scrollTo(0, 0);
  // do not take the focus from a reader who is typing in the search box
  if (!isTyping(document.activeElement)) content.focus({ preventScroll: true });
}

/** Loads a page as a document whose scripts do not run. XMLHttpRequest parses it, so this script never handles markup. */
function load(url: URL): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    request.responseType = "document";
    request.addEventListener("load", () => {
      if (request.status === 200 && request.responseXML) resolve(request.responseXML);
      else reject(new Error(`${url.pathname} was answered with ${request.status}`));
    });
    request.addEventListener("error", () => reject(new Error(`${url.pathname} was not answered`)));
    request.send();
  });
}
