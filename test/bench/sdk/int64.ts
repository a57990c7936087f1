/** Cost of parsing JSON without rounding any integer, compared with JSON.parse. */
import { placeScript, runScript } from "../child.ts";
import { consumerFolder } from "./places.ts";
import { median, type RoundsPlan } from "./rounds.ts";

const BODY_BYTES = 2048;

export interface GuardCost {
  readonly body: string;
  readonly plainMicros: number;
  readonly guardedMicros: number;
  /** Median of the rounds' differences. */
  readonly addedMicros: number;
}

/**
 * Measures two bodies: without and with an integer that a double cannot represent. Returns an empty list if the SDK exports
 * no `parseJson`.
 */
export async function measureGuard(plan: RoundsPlan): Promise<GuardCost[]> {
  const script = await placeScript(new URL("int64-rounds.ts", import.meta.url), consumerFolder);
  const costs: GuardCost[] = [];
  for (const [body, firstId] of [
    ["safe", "4711"],
    ["one unsafe integer", "9007199254740993"],
  ] as const) {
    const text = listOfCalls(firstId);
    const figures = runScript<{ plain: number[]; guarded: number[] } | null>(script, { text, plan });
    if (figures === null) return [];
    const { plain, guarded } = figures;
    costs.push({
      body: `${text.length} bytes, ${body}`,
      plainMicros: median(plain) / 1000,
      guardedMicros: median(guarded) / 1000,
      addedMicros: median(guarded.map((nanoseconds, round) => nanoseconds - (plain[round] ?? Number.NaN))) / 1000,
    });
  }
  return costs;
}

/** A page of text-to-speech calls as the service lists them. The text of the last call pads it to the wanted size. */
function listOfCalls(firstId: string): string {
  const call = (id: string, text: string) =>
    `{"requestId":${id},"merchantId":"acme-dental","phoneNumber":"+12025550100","status":"COMPLETED",` +
    `"createdAt":"2026-01-31T09:30:00.000Z","durationSeconds":42,"costMicros":18500,"text":${JSON.stringify(text)}}`;
  const calls = [call(firstId, "Your appointment is tomorrow at half past nine.")];
  for (let id = 4712; calls.join(",").length < BODY_BYTES - 500; id += 1) {
    calls.push(call(String(id), "Press 1 to confirm, 2 to call back."));
  }
  const without = `[${[...calls, call("4799", "")].join(",")}]`.length;
  return `[${[...calls, call("4799", "x".repeat(BODY_BYTES - without))].join(",")}]`;
}
