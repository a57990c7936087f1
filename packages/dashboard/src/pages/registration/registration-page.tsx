// A merchant's progress to registered SMS: brand, campaign, number, and what to do next.

import type { ComponentChildren } from "preact";
import { MerchantLink } from "../../elements/merchant.tsx";
import { PageHead } from "../../elements/page.tsx";
import { State, type Tone } from "../../elements/state.tsx";
import { Failure } from "../../shell/failure.tsx";
import { go, Link } from "../../shell/navigation.tsx";
import { useSession } from "../../shell/session.ts";
import { useMerchantChoice } from "../merchant-choice.tsx";
import { useCall } from "../use-answer.ts";
import { Brands, Campaigns, Numbers } from "./registered.tsx";
import { type Advice, adviseOn, type Progress, progressOf, type StepName } from "./steps.ts";

const LOOK_MS = 5_000;

export function RegistrationPage({ merchantId: chosen }: { readonly merchantId: string }) {
  const choose = (merchantId: string) => go({ page: "registration", merchantId });
  const { merchantId, hasNone, field } = useMerchantChoice({ merchantId: chosen, choose });
  return (
    <section class="page">
      <PageHead title="Registration" />
      {hasNone ? (
        <p class="nothing">There is no merchant yet.</p>
      ) : (
        <form class="fields" onSubmit={(event) => event.preventDefault()}>
          {field}
        </form>
      )}
      {merchantId !== "" && <Steps key={merchantId} merchantId={merchantId} />}
    </section>
  );
}

function Steps({ merchantId }: { readonly merchantId: string }) {
  const path = { merchantId };
  const { answer, error, again } = useCall("getRegistrationStatus", { path }, { everyMs: LOOK_MS });
  if (error !== undefined) return <Failure error={error} again={again} />;
  if (answer === undefined) return null;
  const advice = adviseOn(answer);
  const stateOf = (step: StepName) => ({ progress: progressOf(step, answer), advice });
  const isElsewhere = !(["brand", "campaign", "number"] as const).some((step) =>
    ["blocked", "review"].includes(progressOf(step, answer)),
  );
  return (
    <>
      <p class="headline" role="status">
        <State state={answer.readyToSend ? "ready" : "not ready"} tone={answer.readyToSend ? "good" : "open"} /> to send
        registered SMS of <MerchantLink merchantId={merchantId} />
      </p>
      {isElsewhere && advice !== undefined && <WhatNext advice={advice} />}
      <ol class="steps">
        <Step name="Brand" {...stateOf("brand")}>
          <Brands brands={answer.brands} />
        </Step>
        <Step name="Campaign" {...stateOf("campaign")}>
          <Campaigns campaigns={answer.campaigns} />
        </Step>
        <Step name="Number" {...stateOf("number")}>
          <Numbers numbers={answer.numbers} />
        </Step>
      </ol>
    </>
  );
}

const shown: Readonly<Record<Progress, readonly [words: string, tone: Tone]>> = {
  done: ["done", "good"],
  review: ["in review", "open"],
  blocked: ["to do", "bad"],
  waiting: ["waits for an earlier step", "open"],
};

interface StepProps {
  readonly name: string;
  readonly progress: Progress;
  readonly advice: Advice | undefined;
  readonly children: ComponentChildren;
}

function Step({ name, progress, advice, children }: StepProps) {
  const [words, tone] = shown[progress];
  const isNext = progress === "blocked" || progress === "review";
  return (
    <li class="step" data-progress={progress} aria-current={isNext ? "step" : undefined}>
      <h2>
        {name} <State state={words} tone={tone} />
      </h2>
      {isNext && advice !== undefined && <WhatNext advice={advice} />}
      {children}
    </li>
  );
}

function WhatNext({ advice: { words, command, form } }: { readonly advice: Advice }) {
  const { role } = useSession();
  return (
    <div class="next">
      <p>{words}</p>
      {form !== undefined && role === "admin" && (
        <p>
          <Link class="button main" to={{ page: "operation", operationId: form.operationId, values: form.values }}>
            {form.label}
          </Link>
        </p>
      )}
      {form !== undefined && role !== "admin" && <p>An admin can do this.</p>}
      {command !== undefined && (
        <details>
          <summary>From a terminal</summary>
          <code>{command}</code>
        </details>
      )}
    </div>
  );
}
