// Shows current faults on every page, with links to the pages that explain them.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Views } from "../api.ts";
import { counted, describeCount } from "../elements/counted.ts";
import { serverTime, Time } from "../elements/time.tsx";
import { toVisible } from "../elements/visible-text.ts";
import { useAnswer } from "../pages/use-answer.ts";
import { Icon } from "./icon.tsx";
import { Link } from "./navigation.tsx";
import { allMessages, type Route } from "./route.ts";
import { isOperator, isTenantAdmin, type Session, useSession } from "./session.ts";

type Notice = Views["NoticeView"];

const POLL_MS = 15_000;
/** From here on, a development server's clock counts as moved. */
const MOVED_MS = 60_000;
/** The most notices that are shown at once. */
const MOST = 3;

export function Banner() {
  const session = useSession();
  const { answer, error } = useAnswer("listNotices", {}, { everyMs: POLL_MS });
  const [isWhole, setWhole] = useState(false);
  const notices = error === undefined ? (answer ?? []) : [];
  const shown = isWhole ? notices : notices.slice(0, MOST);
  const aheadMs = serverTime().getTime() - Date.now();
  return (
    <section aria-label="Notices">
      {/* announces only that notices come and go: their times and counts change all the time */}
      <p class="visually-hidden" role="status">
        {notices.map(({ kind, name }) => `${announced[kind]} ${toVisible(name ?? "")}`).join(", ")}
      </p>
      {shown.map((notice) => (
        <Line key={`${notice.kind} ${notice.name}`} isBad={notice.kind === "CARRIER_DOWN"} to={pageOf(notice, session)}>
          <Words notice={notice} />
        </Line>
      ))}
      {notices.length > shown.length && (
        <p class="banner" data-tone="open">
          <button type="button" class="bare" onClick={() => setWhole(true)}>
            Show {counted(notices.length - shown.length, "more notice")}
          </button>
        </p>
      )}
      {session.isDevelopment && aheadMs > MOVED_MS && (
        <Line to={{ page: "simulator" }}>
          The server's clock was moved: it is <Time at={serverTime().toISOString()} isWhole />.
        </Line>
      )}
    </section>
  );
}

interface LineProps {
  readonly isBad?: boolean;
  readonly to: Route;
  readonly children: ComponentChildren;
}

function Line({ isBad = false, to, children }: LineProps) {
  return (
    <p class="banner" data-tone={isBad ? "bad" : "open"}>
      <Icon name="warning" />
      <span>{children}</span>
      <Link class="mend" to={to}>
        Show
      </Link>
    </p>
  );
}

function Words({ notice: { kind, name, since, count } }: { readonly notice: Notice }) {
  const named = toVisible(name ?? "");
  const messages = count === null ? "" : describeCount(count, "message");
  const waiting = count !== null && ` Waiting: ${messages}.`;
  const at = since !== null && <Time at={since} isWhole />;
  switch (kind) {
    case "CARRIER_DOWN":
      return (
        <>
          The carrier {named} has been unreachable since {at}.{waiting}
        </>
      );
    case "NO_CARRIER":
      return (
        <>
          No carrier is set for {named}.{waiting}
        </>
      );
    case "IN_DOUBT":
      return <>{messages} may or may not have reached a carrier. The server is asking it.</>;
    case "RECEIVER_SILENT":
      return (
        <>
          The webhook receiver {named} does not answer. Next attempt: {at}
        </>
      );
    case "BACKUP_OVERDUE":
      return since === null ? <>There is no backup yet.</> : <>The last backup is from {at}.</>;
  }
}

const announced: Readonly<Record<Notice["kind"], string>> = {
  CARRIER_DOWN: "carrier unreachable",
  NO_CARRIER: "no carrier for",
  IN_DOUBT: "messages in doubt",
  RECEIVER_SILENT: "webhook receiver silent",
  BACKUP_OVERDUE: "backup overdue",
};

/** Where a notice is explained or mended. */
function pageOf({ kind }: Notice, session: Session): Route {
  if (isOperator(session)) return { page: "installation" };
  switch (kind) {
    case "CARRIER_DOWN":
    case "NO_CARRIER":
      return isTenantAdmin(session) ? { page: "carriers" } : { ...allMessages, query: "status:queued" };
    case "IN_DOUBT":
      return { ...allMessages, query: "status:sending" };
    case "RECEIVER_SILENT":
      return { page: "callbacks", status: "PENDING", before: "" };
    case "BACKUP_OVERDUE":
      return { page: "health" };
  }
}
