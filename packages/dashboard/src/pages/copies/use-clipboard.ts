import { useState } from "preact/hooks";

export interface Clipboard {
  /** Name of the text that was copied last. */
  readonly copied: string | undefined;
  readonly copy: (name: string, text: string) => Promise<void>;
}

/** Copies texts. Without TLS, a page has a clipboard only on this machine; elsewhere, users have to select the text. */
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
