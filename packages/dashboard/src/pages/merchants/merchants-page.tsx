// The tenant's merchants, with how much of each quota they have used.

import { useState } from "preact/hooks";
import type { Merchant } from "../../client/merchants.ts";
import { Empty, PageHead, Skeleton } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { type Column, Table } from "../../elements/table.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { useSession } from "../../shell/session.ts";
import { type ChannelQuota, quotasOf } from "../overview/quota.ts";
import { UsageBar } from "../overview/usage-bar.tsx";
import { useCall } from "../use-answer.ts";

const POLL_MS = 10_000;

export function MerchantsPage() {
  const { answer, error, again } = useCall("listMerchants", {}, { everyMs: POLL_MS });
  const { role } = useSession();
  const [text, setText] = useState("");
  const wanted = text.trim().toLocaleLowerCase();
  const shown = answer?.filter(
    ({ merchantId, displayName }) =>
      merchantId.toLowerCase().includes(wanted) || displayName.toLocaleLowerCase().includes(wanted),
  );
  return (
    <section class="page">
      <PageHead
        title="Merchants"
        beside={answer !== undefined && <span class="quiet">{answer.length.toLocaleString()}</span>}
        {...(role === "admin" ? { actions: <AddLink /> } : {})}
      />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer === undefined && error === undefined && <Skeleton />}
      {answer?.length === 0 && (
        <Empty title="No merchants yet.">Add one, or let your program create them with upsertMerchant.</Empty>
      )}
      {answer !== undefined && answer.length > 0 && (
        <>
          <label class="filter">
            Name or id
            <input
              type="search"
              value={text}
              maxLength={200}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          </label>
          {shown?.length === 0 && <Empty title="No merchant has such a name or id." />}
          {shown !== undefined && shown.length > 0 && (
            <Table
              label="Merchants"
              class="merchants-table"
              columns={columns}
              rows={shown}
              keyOf={({ merchantId }) => merchantId}
              to={({ merchantId }) => ({ page: "merchant", merchantId })}
            />
          )}
        </>
      )}
    </section>
  );
}

function AddLink() {
  return (
    <Link class="button" to={{ page: "operation", operationId: "upsertMerchant", values: {} }}>
      Add a merchant
    </Link>
  );
}

const columns: Column<Merchant>[] = [
  {
    heading: "Merchant",
    class: "main",
    sortBy: ({ displayName }) => displayName,
    cell: ({ displayName, active }) => (
      <>
        <bdi>{toVisible(displayName)}</bdi> {!active && <State state="INACTIVE" />}
      </>
    ),
  },
  {
    heading: "Id",
    class: "aside soft",
    sortBy: ({ merchantId }) => merchantId,
    cell: ({ merchantId }) => <code>{merchantId}</code>,
  },
  quotaColumn("SMS", "SMS"),
  quotaColumn("VOICE", "Call minutes"),
  quotaColumn("EMAIL", "Emails"),
];

function quotaColumn(channel: ChannelQuota["channel"], heading: string): Column<Merchant> {
  const find = (merchant: Merchant) => quotasOf(merchant).find((quota) => quota.channel === channel);
  return {
    heading,
    ...(channel === "SMS" ? {} : { class: "aside" }),
    sortBy: (merchant) => find(merchant)?.share ?? -1,
    cell: (merchant) => {
      const quota = find(merchant);
      return quota === undefined ? <span class="quiet">none</span> : <UsageBar quota={quota} />;
    },
  };
}
