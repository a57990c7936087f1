/** Shows a message's state by a word and a colour. */
export function Status({ status, reason }: { readonly status: string; readonly reason: string | null }) {
  return (
    <span class="status" data-status={status}>
      {status.toLowerCase()}
      {reason !== null && <span class="reason"> {reason.toLowerCase().replaceAll("_", " ")}</span>}
    </span>
  );
}
