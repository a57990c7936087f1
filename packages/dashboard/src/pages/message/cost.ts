import type { Views } from "../../api.ts";
import { counted } from "../../elements/counted.ts";
import { toDollars } from "../../elements/dollars.ts";

type Message = Views["MessageView"];

const nouns = { SMS: "segment", EMAIL: "email", VOICE: "minute" } as const;

/** Describes how many units of its merchant's quota a message uses. */
export function unitsOf({ units, creditUnits, channel }: Pick<Message, "units" | "creditUnits" | "channel">): string {
  const all = counted(units, nouns[channel]);
  return creditUnits === 0 ? all : `${all}, ${creditUnits} of them paid by credits`;
}

/** Describes the cost of a message in dollars, and its two parts if there is a markup. */
export function describeCost({
  providerCostMicros,
  markupMicros,
}: Pick<Message, "providerCostMicros" | "markupMicros">): string {
  if (providerCostMicros === null) return "not known yet";
  const dollars = (micros: number) => toDollars(micros / 1e6);
  const all = dollars(providerCostMicros + (markupMicros ?? 0));
  return markupMicros === null || markupMicros === 0
    ? all
    : `${all}: carrier ${dollars(providerCostMicros)}, markup ${dollars(markupMicros)}`;
}
