import type { Views } from "../../api.ts";
import { toDollars } from "../dollars.ts";

type Message = Views["MessageView"];

const nouns = { SMS: ["segment", "segments"], EMAIL: ["email", "emails"], VOICE: ["minute", "minutes"] } as const;

/** What a message takes of its merchant's quota, in words. */
export function unitsOf({ units, creditUnits, channel }: Pick<Message, "units" | "creditUnits" | "channel">): string {
  const [one, many] = nouns[channel];
  const all = `${units} ${units === 1 ? one : many}`;
  return creditUnits === 0 ? all : `${all}, ${creditUnits} of them by credits`;
}

/** What a message costs, in dollars. */
export function describeCost({
  providerCostMicros,
  markupMicros,
}: Pick<Message, "providerCostMicros" | "markupMicros">): string {
  if (providerCostMicros === null) return "not known yet";
  const dollars = (micros: number) => toDollars(micros / 1e6);
  const all = dollars(providerCostMicros + (markupMicros ?? 0));
  return markupMicros === null || markupMicros === 0
    ? all
    : `${all}: ${dollars(providerCostMicros)} and ${dollars(markupMicros)}`;
}
