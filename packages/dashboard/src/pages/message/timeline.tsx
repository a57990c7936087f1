// The history of a message: each event with its time, the time since the event before, and the carrier's own words.

import type { ComponentChildren } from "preact";
import type { Views } from "../../api.ts";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { describeEnd, describePause, describePermission, isFinal } from "./words.ts";

type Message = Views["MessageView"];

interface Event {
  /** Null for what is yet to come. */
  readonly at: string | null;
  readonly title: string;
  readonly detail?: ComponentChildren;
}

export function Timeline({ message }: { readonly message: Message }) {
  const events = listEvents(message);
  return (
    <ol class="timeline" aria-label="What happened">
      {events.map(({ at, title, detail }, index) => (
        <li key={`${index} ${title}`}>
          <span class="when">
            {at !== null && index === 0 && <Time at={at} isWhole />}
            {at !== null && index > 0 && (
              <time dateTime={at} title={at}>
                {describePause(events[index - 1]?.at ?? at, at)}
              </time>
            )}
          </span>
          <div>
            <b>{title}</b>
            {detail !== undefined && <div class="quiet foreign">{detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function listEvents(message: Message): Event[] {
  const { createdAt, takenAt, updatedAt, provider, providerMessageId, attempts, status } = message;
  const carrier = provider ?? "the carrier";
  const events: Event[] = [{ at: createdAt, title: "Accepted", detail: toVisible(describePermission(message)) }];
  if (takenAt !== null) {
    const detail = [
      ...(attempts > 1 ? [`On the ${ordinal(attempts)} attempt.`] : []),
      ...(providerMessageId === null ? [] : [`The carrier's id is ${toVisible(providerMessageId)}.`]),
    ];
    events.push({ at: takenAt, title: `Accepted by ${carrier}`, detail: detail.join(" ") });
  }
  const { carrierSaidAt, carrierWords } = message;
  if (carrierSaidAt !== null && carrierWords !== null) {
    events.push({ at: carrierSaidAt, title: `Message from ${carrier}`, detail: `“${toVisible(carrierWords)}”` });
  }
  // the sort is stable: of events at the same time, the carrier's acceptance comes first
  events.sort((one, other) => Date.parse(one.at ?? "") - Date.parse(other.at ?? ""));
  events.push({ at: isFinal(status) ? updatedAt : null, ...describeEnd(message), ...describeWait(message) });
  return events;
}

/** The unreachable carrier that the message waits for. */
function describeWait({ carrierDown }: Message): Pick<Event, "detail"> {
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
