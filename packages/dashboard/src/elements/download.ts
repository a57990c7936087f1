/** Milliseconds that the browser has to begin saving the file, before it is removed from memory. */
const KEPT_MS = 60_000;

/** Offers a file for download. `parts` are its text, `type` is its media type. */
export function download(name: string, parts: string[], type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(parts, { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
