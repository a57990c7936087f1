// Cuts a connection at any byte: each message reaches the carrier at most once, and a message that may have left is
// never reported as not sent.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createVirtualClock } from "../../development/clocks.ts";
import { type Cut, cutAtEachByte, openCuttingProxy } from "../../testing/cutting-proxy.ts";
import { ScriptedSmsc, submissionOf } from "../../testing/scripted-smsc.ts";
import { openSmppCarrier } from "./open-smpp-carrier.ts";

/** Number of carriers that run at once. */
const AT_ONCE = 16;

let smsc: ScriptedSmsc;
/** Ids of all messages that were handed over. */
const handedOver = new Set<string>();
/** Messages that reached the carrier before their hand-over. There should be none. */
const tooEarly: string[] = [];

beforeAll(async () => {
  smsc = await ScriptedSmsc.listen();
  smsc.onPdu = (pdu, peer) => {
    if (pdu.command === "submit_sm" && !handedOver.has(readMessage(pdu))) tooEarly.push(readMessage(pdu));
    smsc.answerWell(pdu, peer);
  };
});
afterAll(() => smsc.close());

/** Reads the message's name. Each part begins with it, after the header if there is one. */
function readMessage({ short_message, esm_class }: { short_message?: Buffer; esm_class?: number }): string {
  const header = esm_class === 0x40 ? 6 : 0;
  return short_message?.subarray(header, header + 9).toString() ?? "";
}

interface Result {
  /** How often each of the message's parts reached the carrier completely. */
  readonly seen: readonly number[];
  readonly isHandedOver: boolean;
  /** Outcome for the dispatcher. Undefined if the submission rejected. */
  readonly outcome: string | undefined;
  readonly passed: { readonly out: number; readonly back: number };
}

let messages = 0;

/** Builds a text with this many parts. Each part begins with the message's name. */
function writeText(name: string, parts: number): string {
  return name.padEnd(153, ".").repeat(parts - 1) + name;
}

/** Submits one message over a connection that is cut. Retries while no session is bound but one may still open. */
async function sendThrough(cut: Cut | undefined, parts: number): Promise<Result> {
  messages += 1;
  const name = `text ${String(messages).padStart(4, "0")}`;
  const proxy = await openCuttingProxy(smsc.port, cut);
  let hasEnded = false;
  const carrier = await openSmppCarrier({
    name: "c",
    settings: { ...smsc.settings(), port: proxy.port },
    clock: createVirtualClock(0),
    logger: {
      warn: () => {
        hasEnded = true;
      },
      error: () => {},
    },
  });
  carrier.start(async () => {});
  const submit = () =>
    carrier.submit(submissionOf({ clientReference: name, content: writeText(name, parts) }), {
      signal: new AbortController().signal,
      handOver: async () => {
        handedOver.add(name);
      },
    });
  let outcome: string | undefined = "deferred";
  while (outcome === "deferred" && !handedOver.has(name) && !hasEnded) {
    await new Promise((resume) => setImmediate(resume));
    outcome = await submit().then(
      (answer) => answer.outcome,
      () => undefined,
    );
  }
  const { passed } = proxy;
  // if only the way back was cut, the message may still be on its way to the carrier
  await smsc.exchange();
  await carrier.stop();
  await proxy.close();
  const received = smsc.requests("submit_sm").filter((pdu) => readMessage(pdu) === name);
  const numbers = received.map(({ esm_class, short_message }) => (esm_class === 0x40 ? (short_message?.[5] ?? 0) : 1));
  const seen = Array.from({ length: parts }, (_none, index) => numbers.filter((number) => number === index + 1).length);
  return { seen, isHandedOver: handedOver.has(name), outcome, passed };
}

describe.each([
  ["out", 1],
  ["back", 1],
  ["out", 2],
  ["back", 2],
] as const)("a connection cut on the way %s, with a text of %i parts,", (direction, parts) => {
  it("sends each part at most once and reports only outcomes that are certain, wherever it is cut", async () => {
    const whole = await sendThrough(undefined, parts);
    const once = Array<number>(parts).fill(1);
    expect(whole).toMatchObject({ seen: once, isHandedOver: true, outcome: "taken" });
    const ends = { unsent: 0, inDoubt: 0, taken: 0 };
    await cutAtEachByte(
      { direction, bytes: whole.passed[direction], atOnce: AT_ONCE },
      (cut) => sendThrough(cut, parts),
      ({ seen, isHandedOver, outcome }, at) => {
        expect(Math.max(...seen), at).toBeLessThanOrEqual(1);
        // a part is sent only after the part before it
        expect([...seen].sort().reverse(), at).toEqual(seen);
        if (outcome === "taken") expect(seen, at).toEqual(once);
        else if (isHandedOver) expect(outcome, at).toBeUndefined();
        else expect([outcome, ...seen], at).toEqual(["deferred", ...seen.map(() => 0)]);
        ends[outcome === "taken" ? "taken" : isHandedOver ? "inDoubt" : "unsent"] += 1;
      },
    );
    expect(tooEarly).toEqual([]);
    expect(ends.unsent).toBeGreaterThan(10);
    expect(ends.inDoubt).toBeGreaterThan(10);
  });
});
