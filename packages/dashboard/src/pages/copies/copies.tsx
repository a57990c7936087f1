import { useState } from "preact/hooks";
import { type Call, copyCall } from "./call-copies.ts";

/** A call as curl, msgctl and TypeScript, each to be copied. */
export function Copies({ call }: { readonly call: Call }) {
  const [copied, setCopied] = useState<string>();
  const copy = async (name: string, text: string) => {
    // a page that was not opened over TLS or on this machine has no clipboard: the text is there to be selected
    await navigator.clipboard?.writeText(text).then(
      () => setCopied(name),
      () => setCopied(undefined),
    );
  };
  return (
    <details class="copies">
      <summary>The same from a program</summary>
      {Object.entries(copyCall(call)).map(([name, text]) => (
        <section key={name} aria-label={name}>
          <h3>
            {name}{" "}
            <button type="button" onClick={() => void copy(name, text)}>
              Copy
            </button>
          </h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
          <pre class="content" tabIndex={0}>
            {text}
          </pre>
        </section>
      ))}
      <p role="status">{copied === undefined ? "" : `${copied} is copied.`}</p>
    </details>
  );
}
