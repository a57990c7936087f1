import type { QueryOf, ResponseOf } from "@msgctl/contract";
import { toDollars } from "../../elements/dollars.ts";
import { Empty } from "../../elements/page.tsx";
import { Recipient } from "../../elements/recipient.tsx";
import { toWords } from "../../elements/state.tsx";
import { type Column, Table } from "../../elements/table.tsx";
import { Time } from "../../elements/time.tsx";
import { Failure } from "../../shell/failure.tsx";
import { useCall } from "../use-answer.ts";
import { isBatchOver, pollMsOf } from "./batch.ts";
import { idInPath } from "./id-in-path.ts";
import { Outcome } from "./outcome.tsx";
import { describeSpeech } from "./reasons.ts";

type BatchNumber = ResponseOf<"listTtsBatchNumbers">[number];
type Status = QueryOf<"listTtsBatchNumbers">["status"];

const LOOK_MS = 2_000;

export interface BatchNumbersProps {
  readonly batch: ResponseOf<"getTtsBatchSummary">;
  /** An outcome, or empty for all. */
  readonly status: string;
}

/** The numbers of a batch, polled until the batch is over, and once more afterwards. */
export function BatchNumbers({ batch, status }: BatchNumbersProps) {
  const { batchId } = batch;
  const query = status === "" ? {} : { status: status as NonNullable<Status> };
  const everyMs = isBatchOver(batch) ? undefined : pollMsOf(batch, LOOK_MS);
  const path = { batchId: idInPath(batchId) };
  const { answer, error, again } = useCall("listTtsBatchNumbers", { path, query }, { everyMs });
  return (
    <>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <Empty title="No numbers." />}
      {answer?.length !== 0 && (
        <Table
          key={status}
          label="Numbers of the batch"
          class="numbers-table"
          columns={columns}
          rows={answer}
          keyOf={({ requestId }) => requestId}
          to={({ requestId }) => ({ page: "call", requestId })}
        />
      )}
    </>
  );
}

const columns: Column<BatchNumber>[] = [
  {
    heading: "Call to",
    class: "main",
    sortBy: ({ toNumber }) => toNumber,
    cell: ({ toNumber }) => <Recipient contact={toNumber} />,
  },
  {
    heading: "Outcome",
    sortBy: ({ finalStatus, deliveryReason }) => `${finalStatus} ${deliveryReason}`,
    cell: ({ finalStatus, deliveryReason }) => <Outcome finalStatus={finalStatus} reason={deliveryReason} />,
  },
  { heading: "Telephone", class: "aside", cell: ({ callStatus }) => toWords(callStatus) },
  { heading: "Playback", class: "aside", cell: ({ playbackStatus }) => toWords(playbackStatus) },
  { heading: "Speech", class: "aside", cell: ({ ttsCacheStatus }) => describeSpeech(ttsCacheStatus) },
  {
    heading: "Ended",
    class: "aside soft",
    cell: ({ completedAt }) => completedAt !== null && <Time at={completedAt} />,
  },
  {
    heading: "Seconds",
    class: "amount",
    sortBy: ({ durationSeconds }) => durationSeconds ?? -1,
    cell: ({ durationSeconds }) => durationSeconds,
  },
  {
    heading: "Cost",
    class: "amount",
    sortBy: ({ projectedTotalCost }) => projectedTotalCost,
    cell: ({ billingState, projectedTotalCost }) => (
      <>
        {billingState !== "FINALIZED" && <abbr title="estimated">≈ </abbr>}
        {toDollars(projectedTotalCost)}
      </>
    ),
  },
];
