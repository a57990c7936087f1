// created once: creating a formatter takes as long as rendering all rows of a list
const days = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const times = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** Shows a time in the browser's time zone: the time if it is today, else the day. If `isWhole`, shows both. */
export function Time({ at, isWhole = false }: { readonly at: string; readonly isWhole?: boolean }) {
  return (
    <time dateTime={at} title={at}>
      {show(new Date(at), isWhole)}
    </time>
  );
}

function show(date: Date, isWhole: boolean): string {
  if (isWhole) return `${days.format(date)}, ${times.format(date)}`;
  return date.toDateString() === new Date().toDateString() ? times.format(date) : days.format(date);
}
