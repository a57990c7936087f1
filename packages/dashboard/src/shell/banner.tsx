// What is wrong now, on every page, with a link to where it can be mended.

import type { ComponentChildren } from "preact";
import type { Views } from "../api.ts";
import { counted } from "../elements/counted.ts";
import { serverTime, Time } from "../elements/time.tsx";
import { toVisible } from "../elements/visible-text.ts";
import { useAnswer } from "../pages/use-answer.ts";
import { Icon } from "./icon.tsx";
import { Link } from "./navigation.tsx";
import { allMessages, type Route } from "./route.ts";
import { isTenantAdmin, type Session, useSession } from "./session.ts";

type Notice = Views["NoticeView"];

const POLL_MS = 15_000;
/** From here on, a development server's clock counts as moved. */
const MOVED_MS = 60_000;
/** The most notices that are shown at once. */
const MOST = 3;

export function Banner() {
  const session = useSession();
  const { answer = [] } = useAnswer("listNotices", {}, { everyMs: POLL_MS });
  const aheadMs = serverTime().getTime() - Date.now();
  return (
    <div role="status" aria-label="Notices">
      {answer.slice(0, MOST).map((notice) => (
        <Line key={`${notice.kind} ${notice.name}`} isBad={notice.kind === "CARRIER_DOWN"} to={pageOf(notice, session)}>
          <Words notice={notice} />
        </Line>
      ))}
      {answer.length > MOST && <Line to={{ page: "health" }}>{answer.length - MOST} more notices</Line>}
      {session.isDevelopment && aheadMs > MOVED_MS && (
        <Line to={{ page: "simulator" }}>
          The server's clock was moved: it is <Time at={serverTime().toISOString()} isWhole />.
        </Line>
      )}
    </div>
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
  const messages = count === null ? "" : `${counted(count.count, "message")}${count.isMore ? " or more" : ""}`;
  const at = since !== null && <Time at={since} isWhole />;
  switch (kind) {
    case "CARRIER_DOWN":
      return (
        <>
          The carrier {named} has been unreachable since {at}. {messages} wait for it; nothing is lost.
        </>
      );
    case "NO_CARRIER":
      return (
        <>
          {messages} wait because no carrier is set for {named}.
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

/** Where a notice is explained or mended. */
function pageOf({ kind }: Notice, session: Session): Route {
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
