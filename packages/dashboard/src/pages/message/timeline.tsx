// What happened to a message, when and why.

import type { Views } from "../../api.ts";
import { Time } from "../time.tsx";
import { toVisible } from "../visible-text.ts";
import { describeEnd, describePermission } from "./words.ts";

export function Timeline({ message }: { readonly message: Views["MessageView"] }) {
  const { createdAt, takenAt, updatedAt, provider, attempts, status } = message;
  const hasMoved = status !== "QUEUED" && status !== "SENT";
  return (
    <ol class="history" aria-label="What happened">
      <li>
        <Time at={createdAt} isWhole /> Accepted. {toVisible(describePermission(message))}
      </li>
      {takenAt !== null && (
        <li>
          <Time at={takenAt} isWhole /> {provider ?? "The carrier"} took it
          {attempts > 1 && ` at the ${ordinal(attempts)} attempt`}.
        </li>
      )}
      <li>
        {hasMoved && <Time at={updatedAt} isWhole />} {describeEnd(message)}
      </li>
    </ol>
  );
}

const endings: Readonly<Record<Intl.LDMLPluralRule, string>> = {
  ...{ zero: "th", one: "st", two: "nd", few: "rd", many: "th", other: "th" },
};

function ordinal(number: number): string {
  return `${number}${endings[new Intl.PluralRules("en", { type: "ordinal" }).select(number)]}`;
}
