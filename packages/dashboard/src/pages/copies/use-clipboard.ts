import { useState } from "preact/hooks";

export interface Clipboard {
  /** The name of what was copied last. */
  readonly copied: string | undefined;
  readonly copy: (name: string, text: string) => Promise<void>;
}

/** Copies texts. A page opened neither over TLS nor on this machine has no clipboard: its texts have to be selected. */
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
