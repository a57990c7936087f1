// The history of a message: each event with its time and reason.

import type { Views } from "../../api.ts";
import { Time } from "../time.tsx";
import { toVisible } from "../visible-text.ts";
import { describeEnd, describePermission } from "./words.ts";

export function Timeline({ message }: { readonly message: Views["MessageView"] }) {
  const { createdAt, takenAt, updatedAt, provider, attempts, status, carrierSaidAt, carrierDown } = message;
  const hasMoved = status !== "QUEUED" && status !== "SENT";
  const spokeBefore = carrierSaidAt !== null && takenAt !== null && carrierSaidAt < takenAt;
  return (
    <ol class="history" aria-label="What happened">
      <li>
        <Time at={createdAt} isWhole /> Accepted. {toVisible(describePermission(message))}
      </li>
      {spokeBefore && <Words message={message} />}
      {takenAt !== null && (
        <li>
          <Time at={takenAt} isWhole /> {provider ?? "The carrier"} accepted it
          {attempts > 1 && ` on the ${ordinal(attempts)} attempt`}.
        </li>
      )}
      {!spokeBefore && <Words message={message} />}
      <li>
        {hasMoved && <Time at={updatedAt} isWhole />}{" "}
        {carrierDown === null ? (
          describeEnd(message)
        ) : (
          <>
            It waits for its carrier {carrierDown.name}, which has been unreachable since{" "}
            <Time at={carrierDown.since} isWhole />: {toVisible(carrierDown.words)}
          </>
        )}
      </li>
    </ol>
  );
}

function Words({ message: { carrierSaidAt, carrierWords, provider } }: { readonly message: Views["MessageView"] }) {
  if (carrierSaidAt === null || carrierWords === null) return null;
  return (
    <li>
      <Time at={carrierSaidAt} isWhole /> {provider ?? "The carrier"} said: {toVisible(carrierWords)}
    </li>
  );
}

const endings: Readonly<Record<Intl.LDMLPluralRule, string>> = {
  ...{ zero: "th", one: "st", two: "nd", few: "rd", many: "th", other: "th" },
};

function ordinal(number: number): string {
  return `${number}${endings[new Intl.PluralRules("en", { type: "ordinal" }).select(number)]}`;
}
