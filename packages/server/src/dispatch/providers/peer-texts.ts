// The texts of peers, cleaned before anything is done with them. All that a carrier answers or reports goes through here.

import { cleanWords } from "../../rules/delivery.ts";
import type { FindOutcome, ProviderEvent, SubmitOutcome } from "./provider.ts";

const LONGEST_ID = 200;

/** The answer, with words and an id that can be stored. */
export function cleanAnswer<Answer extends SubmitOutcome | FindOutcome>(answer: Answer): Answer {
  return { ...answer, ...cleanFields(answer) };
}

/** The event, with texts that can be stored. Ids of parts stay as they are: receipts name them again. */
export function cleanEvent(event: ProviderEvent): ProviderEvent {
  if (event.kind === "late-answer") return { ...event, answer: cleanAnswer(event.answer) };
  if (event.kind === "inbound" || event.kind === "reply") return { ...event, text: toStorable(event.text) };
  return { ...event, ...cleanFields(event) };
}

function cleanFields(of: { detail?: string; providerMessageId?: string } | object): object {
  const detail = "detail" in of && of.detail !== undefined ? { detail: cleanWords(of.detail) } : {};
  const id =
    "providerMessageId" in of && of.providerMessageId !== undefined
      ? { providerMessageId: cleanWords(of.providerMessageId, LONGEST_ID) }
      : {};
  return { ...detail, ...id };
}

/** A person's text keeps its lines. Half of a surrogate pair, or a zero, cannot be recorded: it would be delivered for ever. */
function toStorable(text: string): string {
  return text.replaceAll(/[\p{Surrogate}\0]/gu, "\ufffd");
}
