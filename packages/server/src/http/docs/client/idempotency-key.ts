const NAME = "header:Idempotency-Key";

/**
 * Fills in the Idempotency-Key, and renews it when the form's values change, because the server would refuse the same
 * key with other values. A key entered by the reader stays.
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
