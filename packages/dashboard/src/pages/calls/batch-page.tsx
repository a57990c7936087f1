// A batch of calls: its progress, its cost, and the outcome of each number. Polled until it is over.

import type { ResponseOf } from "@msgctl/contract";
import { toDollars } from "../../elements/dollars.ts";
import { MerchantLink } from "../../elements/merchant.tsx";
import { Card, PageHead } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { allCalls } from "../../shell/route.ts";
import { useCallUntil } from "../use-answer.ts";
import { isBatchOver } from "./batch.ts";
import { BatchNumbers } from "./batch-numbers.tsx";
import { BatchProgress } from "./batch-progress.tsx";
import { idInPath } from "./id-in-path.ts";

type Batch = ResponseOf<"getTtsBatchSummary">;

const LOOK_MS = 1_000;

export function BatchPage({ batchId, status }: { readonly batchId: string; readonly status: string }) {
  const path = { batchId: idInPath(batchId) };
  const { answer, error, again } = useCallUntil("getTtsBatchSummary", { path }, isBatchOver, LOOK_MS);
  return (
    <section class="page">
      <PageHead
        title={`Batch ${toVisible(batchId)}`}
        within={{ to: allCalls, name: "Calls" }}
        beside={answer !== undefined && <State state={answer.status} tone={toneOf(answer)} />}
      />
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && (
        <>
          <p class="headline">
            {answer.useCase !== "" && toVisible(answer.useCase)}
            {answer.campaignName !== null && `, ${toVisible(answer.campaignName)}`}
          </p>
          <BatchProgress batch={answer} status={status} />
          <Facts batch={answer} />
          <BatchNumbers batch={answer} status={status} />
        </>
      )}
    </section>
  );
}

function toneOf({ status }: Batch) {
  if (status === "COMPLETED") return "good";
  return status === "FAILED" || status === "COMPLETED_WITH_ERRORS" ? "bad" : "open";
}

function Facts({ batch }: { readonly batch: Batch }) {
  const { merchantId, createdAt, completedAt, provisionalCost, finalizedCost, totalTtsCost, totalCallCost } = batch;
  const { provisionalCount, finalizedCount, totalCost, ttsCacheHits, ttsCacheMisses, ttsCacheHitRatio } = batch;
  return (
    <Card id="details" title="Details">
      <dl class="facts">
        <dt>Merchant</dt>
        <dd>
          <MerchantLink merchantId={merchantId} />
        </dd>
        <dt>Accepted</dt>
        <dd>
          <Time at={createdAt} isWhole />
        </dd>
        <dt>Ended</dt>
        <dd>{completedAt === null ? "not yet" : <Time at={completedAt} isWhole />}</dd>
        <dt>Estimated</dt>
        <dd>
          {toDollars(provisionalCost)} for {provisionalCount.toLocaleString()} calls not yet priced
        </dd>
        <dt>Final</dt>
        <dd>
          {toDollars(finalizedCost)} for {finalizedCount.toLocaleString()} finished calls
        </dd>
        <dt>Total</dt>
        <dd>
          {toDollars(totalCost)}: {toDollars(totalTtsCost)} speech and {toDollars(totalCallCost)} minutes
        </dd>
        <dt>Speech</dt>
        <dd>
          {ttsCacheHits.toLocaleString()} from the cache, {ttsCacheMisses.toLocaleString()} newly generated
          {ttsCacheHits > 0 && ` (${Math.floor(ttsCacheHitRatio * 100)} %)`}
        </dd>
      </dl>
    </Card>
  );
}
