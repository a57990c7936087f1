// A batch of calls: what happened, what remains, its cost, and the outcome of each number. Polled until it is over.

import { isNotFound } from "../../client/problem.ts";
import { toDollars } from "../../elements/dollars.ts";
import { MerchantLink } from "../../elements/merchant.tsx";
import { Card, Fact, PageHead, Skeleton } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { serverTime } from "../../elements/time.tsx";
import { Timeline } from "../../elements/timeline.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { allCalls } from "../../shell/route.ts";
import { type Outcome, useAnswer } from "../use-answer.ts";
import { isBatchOver, pollMsOf } from "./batch.ts";
import { BatchNumbers } from "./batch-numbers.tsx";
import { BatchProgress } from "./batch-progress.tsx";
import { type BatchDetails, listSteps } from "./batch-steps.tsx";
import { idInPath } from "./id-in-path.ts";

type Batch = BatchDetails["batch"];

const POLL_MS = 1_000;
/** Callbacks may be retried for days after the batch is over. */
const CALLBACKS_POLL_MS = 10_000;

function pauseAfter(outcome: Outcome<BatchDetails>): number | undefined {
  if ("error" in outcome) return isNotFound(outcome.error) ? undefined : POLL_MS;
  const { batch, callbacks } = outcome.answer;
  if (!isBatchOver(batch)) return pollMsOf(batch, POLL_MS);
  return callbacks.pending.count > 0 ? CALLBACKS_POLL_MS : undefined;
}

export function BatchPage({ batchId, status }: { readonly batchId: string; readonly status: string }) {
  const path = { batchId: idInPath(batchId) };
  const { answer, error, again } = useAnswer("getBatch", { path }, { everyMs: pauseAfter });
  return (
    <section class="page">
      <PageHead
        title={`Batch ${toVisible(batchId)}`}
        within={{ to: allCalls, name: "Calls" }}
        beside={answer !== undefined && <State state={answer.batch.status} tone={toneOf(answer.batch)} />}
      />
      {error !== undefined && <Failure error={error} {...(isNotFound(error) ? {} : { again })} />}
      {answer === undefined && error === undefined && <Skeleton />}
      {answer !== undefined && (
        <>
          <BatchProgress batch={answer.batch} status={status} />
          <div class="columns">
            <Card id="history" title="What happened">
              <Timeline steps={listSteps(answer, serverTime())} />
            </Card>
            <div>
              <Cost batch={answer.batch} />
              <Details batch={answer.batch} />
            </div>
          </div>
          <Card id="numbers" title="Numbers">
            <BatchNumbers batch={answer.batch} status={status} />
          </Card>
        </>
      )}
    </section>
  );
}

function toneOf({ status }: Batch) {
  if (status === "COMPLETED") return "good";
  return status === "FAILED" || status === "COMPLETED_WITH_ERRORS" ? "bad" : "open";
}

function Cost({ batch }: { readonly batch: Batch }) {
  const { provisionalCost, finalizedCost, totalTtsCost, totalCallCost, totalCost } = batch;
  return (
    <Card id="cost" title="Cost">
      <dl class="facts">
        <Fact name="Estimated">
          {toDollars(provisionalCost)} for {batch.provisionalCount.toLocaleString()} calls not yet priced
        </Fact>
        <Fact name="Final">
          {toDollars(finalizedCost)} for {batch.finalizedCount.toLocaleString()} finished calls
        </Fact>
        <Fact name="Total">
          {toDollars(totalCost)}: {toDollars(totalTtsCost)} speech and {toDollars(totalCallCost)} minutes
        </Fact>
        <Fact name="Cache">
          {Math.floor(batch.ttsCacheHitRatio * 100)} % of the calls had speech that existed and costs nothing
        </Fact>
      </dl>
    </Card>
  );
}

function Details({ batch }: { readonly batch: Batch }) {
  const { merchantId, useCase, campaignName, campaignId, sourceSystem, platformAccountId, tenantId } = batch;
  const labels = [
    ["Campaign", campaignName ?? campaignId],
    ["Source system", sourceSystem],
    ["Account", platformAccountId],
    ["Sub-tenant", tenantId],
  ] as const;
  return (
    <Card id="details" title="Details">
      <dl class="facts">
        <Fact name="Merchant">
          <MerchantLink merchantId={merchantId} />
        </Fact>
        <Fact name="Use case">{toVisible(useCase)}</Fact>
        {labels.map(
          ([name, value]) =>
            value !== null && (
              <Fact key={name} name={name}>
                {toVisible(value)}
              </Fact>
            ),
        )}
      </dl>
    </Card>
  );
}
