import { type Call, copyCall } from "./call-copies.ts";
import { useClipboard } from "./use-clipboard.ts";

/** A call as curl, msgctl and TypeScript, each with a button that copies it. */
export function Copies({ call }: { readonly call: Call }) {
  const { copied, copy } = useClipboard();
  return (
    <details class="copies">
      <summary>The same request from a program</summary>
      {Object.entries(copyCall(call)).map(([name, text]) => (
        <section key={name} aria-label={name}>
          <h3>
            {name}{" "}
            <button type="button" onClick={() => void copy(name, text)}>
              Copy
            </button>
          </h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this box */}
          <pre class="content" tabIndex={0}>
            {text}
          </pre>
        </section>
      ))}
      <p role="status">{copied === undefined ? "" : `${copied} is copied.`}</p>
    </details>
  );
}
