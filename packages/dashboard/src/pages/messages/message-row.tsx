import { Link } from "../../shell/navigation.tsx";
import { Status } from "../status.tsx";
import { Time } from "../time.tsx";
import { toVisible } from "../visible-text.ts";
import type { MessageRow as Row } from "./message-list.ts";

export function MessageRow({ row }: { readonly row: Row }) {
  const { messageId, channel, status, reason, to, subject, excerpt, merchantId, createdAt, project } = row;
  return (
    <Link class="row" to={{ page: "message", messageId }}>
      <Time at={createdAt} />
      <span class="channel">{channel}</span>
      <span class="to">{toVisible(to)}</span>
      <Status status={status} reason={reason} />
      <span class="excerpt">
        {project !== null && <span class="project">{project}</span>}
        {subject !== null && <b>{toVisible(subject)} </b>}
        {toVisible(excerpt)}
      </span>
      <span class="merchant">{toVisible(merchantId)}</span>
    </Link>
  );
}
