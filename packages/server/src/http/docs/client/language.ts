let chosen: string | undefined;

/** Shows the examples of the next page in the language chosen on this one. Kept in memory alone. */
export function keepLanguage(page: ParentNode): void {
  for (const input of page.querySelectorAll<HTMLInputElement>('input[name="language"]')) {
    if (input.value === chosen) input.checked = true;
    input.addEventListener("change", () => {
      chosen = input.value;
    });
  }
}
