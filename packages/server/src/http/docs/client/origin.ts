/** Replaces the contract's server URL with the page's origin. */
export function showOrigin(page: ParentNode): void {
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
