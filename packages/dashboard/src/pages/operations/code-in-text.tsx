/** Renders a text of the contract, with its parts in backquotes as code. */
export function CodeInText({ text }: { readonly text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
