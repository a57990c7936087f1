/** A message's state, by word and by colour. */
export function Status({ status, reason }: { readonly status: string; readonly reason: string | null }) {
  return (
    <span class="status" data-status={status}>
      {status.toLowerCase()}
      {reason !== null && <span class="reason"> {reason.toLowerCase().replaceAll("_", " ")}</span>}
    </span>
  );
}
