/** A time as the reader's clock shows it, with the day where it is another than today. */
export function Time({ at, isWhole = false }: { readonly at: string; readonly isWhole?: boolean }) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const day = date.toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
  const time = date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return (
    <time dateTime={at} title={at}>
      {isWhole ? `${day}, ${time}` : isToday ? time : day}
    </time>
  );
}
