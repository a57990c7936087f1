// The steps of a message, with the carrier's own words.

import type { Views } from "../../api.ts";
import { Time } from "../../elements/time.tsx";
import { inOrder, type Step } from "../../elements/timeline.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { describeEnd, describePermission, isFinal } from "./words.ts";

type Message = Views["MessageView"];

export function listSteps(message: Message): Step[] {
  const { createdAt, takenAt, updatedAt, provider, providerMessageId, attempts, status } = message;
  const carrier = provider ?? "the carrier";
  const steps: Step[] = [{ at: createdAt, title: "Accepted", detail: toVisible(describePermission(message)) }];
  if (takenAt !== null) {
    const detail = [
      ...(attempts > 1 ? [`On the ${ordinal(attempts)} attempt.`] : []),
      ...(providerMessageId === null ? [] : [`The carrier's id is ${toVisible(providerMessageId)}.`]),
    ];
    steps.push({ at: takenAt, title: `Accepted by ${carrier}`, detail: detail.join(" ") });
  }
  const { carrierSaidAt, carrierWords } = message;
  if (carrierSaidAt !== null && carrierWords !== null) {
    // before the first attempt the words are the server's
    const isOwn = attempts === 0;
    const words = toVisible(carrierWords);
    const title = isOwn ? "Not handed to a carrier" : `Message from ${carrier}`;
    steps.push({ at: carrierSaidAt, title, detail: isOwn ? words : `“${words}”` });
  }
  const end = { at: isFinal(status) ? updatedAt : null, ...describeEnd(message), ...describeWait(message) };
  return [...inOrder(steps), end];
}

/** The hours or the unreachable carrier that the message waits for. */
function describeWait({ carrierDown, hold }: Message): Pick<Step, "detail"> {
  if (hold !== null) {
    return {
      detail: (
        <>
          It waits until <Time at={hold.until} isWhole />: marketing texts are sent only from{" "}
          {hold.hours.replace("-", " to ")} at the recipient ({hold.timezone}).
        </>
      ),
    };
  }
  if (carrierDown === null) return {};
  return {
    detail: (
      <>
        It waits for its carrier {carrierDown.name}, which has been unreachable since{" "}
        <Time at={carrierDown.since} isWhole />: {toVisible(carrierDown.words)}
      </>
    ),
  };
}

const endings: Readonly<Record<Intl.LDMLPluralRule, string>> = {
  ...{ zero: "th", one: "st", two: "nd", few: "rd", many: "th", other: "th" },
};

function ordinal(number: number): string {
  return `${number}${endings[new Intl.PluralRules("en", { type: "ordinal" }).select(number)]}`;
}
