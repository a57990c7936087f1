// The columns of a table of messages.

import type { Views } from "../../api.ts";
import { MerchantName } from "../../elements/merchant.tsx";
import { Recipient } from "../../elements/recipient.tsx";
import { State } from "../../elements/state.tsx";
import type { Column } from "../../elements/table.tsx";
import { nameZone, Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { describeReason } from "../message/reasons.ts";
import { describeType } from "./types.ts";

type Row = Views["MessageRow"];

export function createColumns(timezone: string): Column<Row>[] {
  return [
    {
      heading: "Status",
      class: "state",
      cell: ({ status, reason, channel }) => (
        <State state={status} reason={reason === null ? null : describeReason(reason, channel)} />
      ),
    },
    { heading: "To", class: "to main", cell: ({ to }) => <Recipient contact={to} /> },
    { heading: "Message", class: "text main", cell: (row) => <Text row={row} /> },
    { heading: "Merchant", class: "aside", cell: ({ merchantId }) => <MerchantName merchantId={merchantId} /> },
    {
      heading: "Type",
      class: "aside soft",
      cell: ({ channel, type }) => (channel === "VOICE" ? "Call" : describeType(type)),
    },
    {
      heading: `Accepted (${nameZone(timezone)})`,
      class: "time soft",
      order: "descending",
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
  ];
}

function Text({ row: { subject, excerpt, project } }: { readonly row: Row }) {
  return (
    <span dir="auto">
      {project !== null && <span class="project">{project}</span>}
      {subject !== null && <b>{toVisible(subject)} · </b>}
      {toVisible(excerpt)}
    </span>
  );
}
