// Cuts the connection of a carrier over an HTTP API at each byte: whatever was transmitted, a message that the API has is in
// doubt or proved.

import { expect } from "vitest";
import type { Provider, Submission } from "../carriers/provider.ts";
import { type Cut, cutAtEachByte, openCuttingProxy } from "./cutting-proxy.ts";
import { submissionOf } from "./scripted-smsc.ts";

export interface CutCarrier {
  /** Port of the stand-in for the API. */
  readonly port: number;
  /** Opens and starts a carrier that sends its requests to this URL. */
  readonly open: (url: string) => Provider;
  /** Returns what the stand-in has of a message. */
  readonly countTaken: (message: Submission) => number;
  /** Fields of the submissions. */
  readonly given?: Partial<Submission>;
}

/** Submits a message for each byte after which its connection can be cut, in both directions. */
export async function expectDoubtAtEachByte({ port, open, countTaken, given = {} }: CutCarrier): Promise<void> {
  let messages = 0;

  async function sendThrough(cut: Cut | undefined) {
    messages += 1;
    const number = String(messages);
    const message = submissionOf({
      ...{ clientReference: `msg_01JD${number.padStart(22, "0")}`, to: `+1202555${number.padStart(4, "0")}`, ...given },
    });
    const proxy = await openCuttingProxy(port, cut);
    const carrier = open(`http://127.0.0.1:${proxy.port}`);
    let isHandedOver = false;
    const call = {
      signal: new AbortController().signal,
      handOver: async () => {
        isHandedOver = true;
      },
    };
    const outcome = await carrier.submit(message, call).then(
      (answer) => answer.outcome,
      () => undefined,
    );
    await carrier.stop();
    await proxy.close();
    return { outcome, isHandedOver, taken: countTaken(message), passed: proxy.passed };
  }

  const whole = await sendThrough(undefined);
  expect(whole).toMatchObject({ outcome: "taken", isHandedOver: true, taken: 1 });
  for (const direction of ["out", "back"] as const) {
    const bytes = whole.passed[direction];
    await cutAtEachByte({ direction, bytes, atOnce: 16 }, sendThrough, ({ outcome, isHandedOver, taken }, at) => {
      expect(taken, at).toBeLessThanOrEqual(1);
      // what the API has is known to have left
      if (taken === 1) expect([isHandedOver, outcome], at).not.toEqual([false, "deferred"]);
      if (outcome !== undefined && outcome !== "taken") expect(taken, at).toBe(0);
    });
  }
}
