// Cuts a connection at any byte: each call is placed at most once, and a call that may have been placed is never
// reported as not placed.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createVirtualClock } from "../../development/clocks.ts";
import { type Cut, cutAtEachByte, openCuttingProxy } from "../../testing/cutting-proxy.ts";
import { quietSurroundings, ScriptedFreeSwitch, speechIn } from "../../testing/scripted-freeswitch.ts";
import { submissionOf } from "../../testing/scripted-smsc.ts";
import { openFreeSwitchCarrier } from "./open-freeswitch-carrier.ts";

/** Number of carriers that run at once. */
const AT_ONCE = 16;

let freeswitch: ScriptedFreeSwitch;
/** Ids of all messages that were handed over. */
const handedOver = new Set<string>();
/** Calls that were placed before their hand-over. There should be none. */
const tooEarly: string[] = [];

beforeAll(async () => {
  freeswitch = await ScriptedFreeSwitch.listen();
  freeswitch.onCall = (call) => {
    if (!handedOver.has(call.messageId)) tooEarly.push(call.messageId);
    freeswitch.begin(call);
    freeswitch.endJob(call, `+OK ${call.callId}`);
  };
});
afterAll(() => freeswitch.close());

interface Result {
  readonly placed: number;
  readonly isHandedOver: boolean;
  /** Outcome for the dispatcher. Undefined if the submission rejected. */
  readonly outcome: string | undefined;
  readonly passed: { readonly out: number; readonly back: number };
}

let messages = 0;

/** Places one call over a connection that is cut. Retries while there is no connection but one may still open. */
async function placeThrough(cut: Cut | undefined): Promise<Result> {
  messages += 1;
  const name = `msg_${String(messages).padStart(5, "0")}`;
  const proxy = await openCuttingProxy(freeswitch.port, cut);
  const clock = createVirtualClock(0);
  let hasEnded = false;
  const carrier = openFreeSwitchCarrier({
    ...{ name: "f", ledger: name, clock },
    settings: { ...freeswitch.settings(), port: proxy.port },
    logger: {
      warn: () => {
        hasEnded = true;
      },
      error: () => {},
    },
    surroundings: quietSurroundings,
    speech: speechIn(async () => "/speech/ab12.wav"),
  });
  carrier.start(async () => {});
  const submit = () =>
    carrier.submit(submissionOf({ channel: "VOICE", clientReference: name }), {
      signal: new AbortController().signal,
      handOver: async () => {
        handedOver.add(name);
      },
    });
  let outcome: string | undefined = "deferred";
  while (outcome === "deferred" && !handedOver.has(name) && !hasEnded) {
    await new Promise((resume) => setImmediate(resume));
    let isSettled = false;
    const answer = submit().then(
      ({ outcome: told }) => told,
      () => undefined,
    );
    void answer.then(() => {
      isSettled = true;
    });
    while (!isSettled) {
      await new Promise((resume) => setImmediate(resume));
      // nothing more arrives, so let the timeout pass
      if (hasEnded) await clock.advanceBy(1_000);
    }
    outcome = await answer;
  }
  const { passed } = proxy;
  await carrier.stop();
  await proxy.close();
  const placed = freeswitch.placed.filter(({ messageId }) => messageId === name).length;
  return { placed, isHandedOver: handedOver.has(name), outcome, passed };
}

describe.each(["out", "back"] as const)("a connection cut on the way %s", (direction) => {
  it("places a call at most once and claims only what is certain, wherever it is cut", async () => {
    const whole = await placeThrough(undefined);
    expect(whole).toMatchObject({ placed: 1, isHandedOver: true, outcome: "taken" });
    const ends = { unsent: 0, inDoubt: 0, taken: 0 };
    await cutAtEachByte(
      { direction, bytes: whole.passed[direction], atOnce: AT_ONCE },
      (cut) => placeThrough(cut),
      ({ placed, isHandedOver, outcome }, at) => {
        expect(placed, at).toBeLessThanOrEqual(1);
        if (outcome === "taken") expect(placed, at).toBe(1);
        else if (isHandedOver) expect(outcome, at).toBeUndefined();
        else expect([outcome, placed], at).toEqual(["deferred", 0]);
        ends[outcome === "taken" ? "taken" : isHandedOver ? "inDoubt" : "unsent"] += 1;
      },
    );
    expect(tooEarly).toEqual([]);
    expect(ends.unsent).toBeGreaterThan(10);
    expect(ends.inDoubt).toBeGreaterThan(10);
  });
});
