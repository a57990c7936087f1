import { useState } from "preact/hooks";

export interface Clipboard {
  /** The name of what was copied last. */
  readonly copied: string | undefined;
  readonly copy: (name: string, text: string) => Promise<void>;
}

/** A page that was not opened over TLS or on this machine has no clipboard: the text is there to be selected. */
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
