// Creates elements, and makes the buttons that copy code work.

/** Creates an element with its attributes and content; strings become text, never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | boolean>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...content);
  return made;
}

const SHOWN_MS = 1_500;

/** Shows and activates the buttons that copy a block of code. */
export function showCopyButtons(page: ParentNode): void {
  for (const button of page.querySelectorAll<HTMLButtonElement>("button.copy")) {
    const code = button.parentElement?.querySelector("code");
    if (!code) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.textContent = (await copy(code)) ? "Copied" : "Press Ctrl-C";
      setTimeout(() => {
        button.textContent = "Copy";
      }, SHOWN_MS);
    });
  }
}

/** Copies the text. On an insecure connection, where there is no clipboard, selects it for the reader to copy. */
async function copy(code: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? "");
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return false;
  }
}
