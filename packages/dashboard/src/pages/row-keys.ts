/** Moves the focus among the rows of a list: `j` and the arrow down to the next one, `k` and the arrow up to the one before. */
export function moveAmongRows(event: KeyboardEvent, list: HTMLElement | null, selector: string): void {
  const step =
    event.key === "j" || event.key === "ArrowDown" ? 1 : event.key === "k" || event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const rows = [...(list?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[at < 0 ? 0 : at + step]?.focus();
}
