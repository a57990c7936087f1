import type { QueryOf, ResponseOf } from "@msgctl/contract";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { toDollars } from "../dollars.ts";
import { Cell } from "../list/cell.tsx";
import { List } from "../list/list.tsx";
import { toWords } from "../state.tsx";
import { Time } from "../time.tsx";
import { useCall } from "../use-answer.ts";
import { toVisible } from "../visible-text.ts";
import { isBatchOver } from "./batch.ts";
import { idInPath } from "./id-in-path.ts";
import { Outcome } from "./outcome.tsx";

type BatchNumber = ResponseOf<"listTtsBatchNumbers">[number];
type Status = QueryOf<"listTtsBatchNumbers">["status"];

const LOOK_MS = 2_000;
/** The poll interval in milliseconds per number: a batch of ten thousand numbers is polled every ten seconds. */
const LOOK_MS_A_NUMBER = 1;

export interface BatchNumbersProps {
  readonly batch: ResponseOf<"getTtsBatchSummary">;
  /** An outcome, or empty for all. */
  readonly status: string;
}

/** The numbers of a batch, polled until the batch is over, and once more afterwards. */
export function BatchNumbers({ batch, status }: BatchNumbersProps) {
  const { batchId, totalCalls } = batch;
  const query = status === "" ? {} : { status: status as NonNullable<Status> };
  const everyMs = isBatchOver(batch) ? undefined : Math.max(LOOK_MS, totalCalls * LOOK_MS_A_NUMBER);
  const path = { batchId: idInPath(batchId) };
  const { answer, error, again } = useCall("listTtsBatchNumbers", { path, query }, { everyMs });
  return (
    <>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <p class="nothing">No numbers.</p>}
      <List
        key={status}
        label="Numbers of the batch"
        class="numbers-list"
        head={head}
        rows={answer ?? none}
        keyOf={({ requestId }) => requestId}
      >
        {(number) => <Row number={number} />}
      </List>
    </>
  );
}

const none: readonly BatchNumber[] = [];

const head = (
  <>
    <span>Call to</span>
    <span>Outcome</span>
    <span class="aside">Telephone</span>
    <span class="aside">Playback</span>
    <span class="aside">Speech</span>
    <span class="aside">Ended</span>
    <span class="amount">Seconds</span>
    <span class="amount">Cost</span>
  </>
);

function Row({ number }: { readonly number: BatchNumber }) {
  return (
    <Link class="row" to={{ page: "call", requestId: number.requestId }}>
      <span class="phone">{toVisible(number.toNumber)}</span>
      <span>
        <Outcome finalStatus={number.finalStatus} reason={number.deliveryReason} />
      </span>
      <Cell name="telephone" class="aside">
        {toWords(number.callStatus)}
      </Cell>
      <Cell name="playback" class="aside">
        {toWords(number.playbackStatus)}
      </Cell>
      <Cell name="speech" class="aside">
        {toWords(number.ttsCacheStatus)}
      </Cell>
      <span class="aside">{number.completedAt !== null && <Time at={number.completedAt} />}</span>
      <Cell name="seconds" class="amount">
        {number.durationSeconds}
      </Cell>
      <Cell name="cost" class="amount">
        {number.billingState !== "FINALIZED" && <abbr title="estimated">≈ </abbr>}
        {toDollars(number.projectedTotalCost)}
      </Cell>
    </Link>
  );
}
