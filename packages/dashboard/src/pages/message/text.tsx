import { toVisible } from "../../elements/visible-text.ts";

/** The text of a message as it is, in a box that scrolls. */
export function Text({ content }: { readonly content: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll this box
    <pre class="content" dir="auto" tabIndex={0}>
      {toVisible(content)}
    </pre>
  );
}
