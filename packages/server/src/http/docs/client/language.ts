let chosen: string | undefined;

/** Keeps the chosen example language from page to page, in memory only. */
export function keepLanguage(page: ParentNode): void {
  for (const input of page.querySelectorAll<HTMLInputElement>('input[name="language"]')) {
    if (input.value === chosen) input.checked = true;
    input.addEventListener("change", () => {
      chosen = input.value;
    });
  }
}
