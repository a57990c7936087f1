import type { Views } from "../../api.ts";
import { describeCount } from "../../elements/counted.ts";
import { Card, Fact } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { Since, Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";

interface ProcessorCardProps {
  readonly payments: Views["PaymentHandling"];
}

/** Shows who handles the tenant's payments for credits, and whether their processor answers. */
export function ProcessorCard({ payments: { handling, processor, waiting, waitingSince } }: ProcessorCardProps) {
  return (
    <Card id="payments" title="Payments">
      {handling === "SIMULATED" && <p>Payments are simulated: nothing is charged.</p>}
      {handling === "OPERATOR" && (
        <p>
          No processor is set: a payment charges nobody, and waits until the operator settles it. The operator of the
          server sets one with <code>msgd processors set</code>.
        </p>
      )}
      {handling !== "SIMULATED" && (
        <dl class="facts">
          {processor !== null && <Processor processor={processor} />}
          <Fact name="Waiting">
            {describeCount(waiting)} for the operator
            <Since at={waitingSince} />
          </Fact>
        </dl>
      )}
    </Card>
  );
}

function Processor({ processor }: { readonly processor: Views["ProcessorView"] }) {
  const { name, kind, isCommon, answeredAt, downSince, downWords, held } = processor;
  return (
    <>
      <Fact name="State">
        {downSince !== null && (
          <>
            <State state="DOWN" tone="bad" /> since <Time at={downSince} isWhole />
          </>
        )}
        {downSince === null && answeredAt !== null && <State state="UP" tone="good" />}
        {downSince === null && answeredAt === null && <State state="NOT_ASKED_YET" />}
      </Fact>
      {downWords !== null && <Fact name="Last error">{toVisible(downWords)}</Fact>}
      {answeredAt !== null && (
        <Fact name="Last answer">
          <Time at={answeredAt} />
        </Fact>
      )}
      <Fact name="Open">{describeCount(held)} at the processor</Fact>
      <Fact name="Kind">{kind}</Fact>
      <Fact name="Name">
        <code>{name}</code>
      </Fact>
      <Fact name="Used by">{isCommon ? "all tenants" : "this tenant"}</Fact>
    </>
  );
}
