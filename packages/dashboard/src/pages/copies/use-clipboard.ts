import { useState } from "preact/hooks";

export interface Clipboard {
  /** Name of the text that was copied last. */
  readonly copied: string | undefined;
  readonly copy: (name: string, text: string) => Promise<void>;
}

/**
 * Copies texts. Browsers allow the clipboard only over https or on localhost; without it, users have to select the text
 * and copy it themselves.
 */
export function useClipboard(): Clipboard {
  const [copied, setCopied] = useState<string>();
  const copy = async (name: string, text: string) => {
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(name),
      () => setCopied(undefined),
    );
  };
  return { copied, copy };
}
