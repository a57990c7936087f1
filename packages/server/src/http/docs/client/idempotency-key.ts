const NAME = "header:Idempotency-Key";

/**
 * Fills the input of the key, and makes a new one where the same key would go out with other values: the server would
 * refuse that. A key that the reader wrote stays.
 */
export function manageKey(form: HTMLFormElement): { renew(): void } {
  const input = form.elements.namedItem(NAME);
  if (!(input instanceof HTMLInputElement)) return { renew() {} };
  let made = newKey();
  let sent: string | undefined;
  input.value = made;
  return {
    renew() {
      const values = new FormData(form);
      values.delete(NAME);
      const text = JSON.stringify([...values]);
      if (input.value === made && sent !== undefined && sent !== text) {
        made = newKey();
        input.value = made;
      }
      sent = text;
    },
  };
}

/** `crypto.randomUUID` is for secure pages only. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `docs-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
