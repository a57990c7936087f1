// Tests calls by FreeSWITCH to phones that answer, are busy, decline, do not exist, do not answer or hang up. Also tests calls
// that continue while the server is killed and restarted.

import { MsgdFolder } from "../e2e/msgd-process.ts";
import { speechFlags } from "./call-speech.ts";
import type { Findings, Peer } from "./check.ts";
import { findFreeSwitch, startFreeSwitch } from "./freeswitch.ts";
import { LiveServer, waitUntil } from "./live-server.ts";
import type { Reaction } from "./sip-call.ts";
import { SipPhones } from "./sip-phones.ts";

export const freeSwitchPeer: Peer = {
  name: "FreeSWITCH",
  hint: "MSGD_FREESWITCH may name its program",
  find: findFreeSwitch,
  check,
};

/** A phone's reaction, and the expected final view of its call. */
interface Case {
  readonly name: string;
  readonly reaction: Reaction;
  readonly text: string;
  readonly status: string;
  readonly callStatus: string;
  readonly deliveryReason: string | null;
}

const SHORT = "Your code is 4 2.";
const LONG = "Your code is 4 2. I say it again: 4 2. ".repeat(3);

const heard = { status: "COMPLETED", callStatus: "COMPLETED", deliveryReason: null };
const failed = (callStatus: string, deliveryReason: string) => ({ status: "FAILED", callStatus, deliveryReason });
const refuse = (status: number): Reaction => ({ does: "refuse", status });

const cases: readonly Case[] = [
  { name: "heard", reaction: { does: "answer" }, text: SHORT, ...heard },
  { name: "busy", reaction: refuse(486), text: SHORT, ...failed("BUSY", "BUSY") },
  { name: "declined", reaction: refuse(603), text: SHORT, ...failed("FAILED", "BLOCKED") },
  { name: "unknown number", reaction: refuse(404), text: SHORT, ...failed("FAILED", "INVALID_NUMBER") },
  { name: "rung out", reaction: { does: "ring" }, text: SHORT, ...failed("NO_ANSWER", "NO_ANSWER") },
  {
    ...{ name: "hung up", reaction: { does: "answer", hangsUpAfterMs: 1_500 }, text: LONG },
    ...{ ...heard, deliveryReason: "HANGUP" },
  },
];
/** Calls that are placed before the server is killed: some end before it is restarted, and some after. */
const killed: readonly Case[] = [
  { name: "heard, with a kill", reaction: { does: "answer" }, text: SHORT, ...heard },
  { name: "heard to the end, with a kill", reaction: { does: "answer" }, text: LONG, ...heard },
];
const OF_EACH = 5;
const OF_EACH_KILLED = 15;
const CALLS_AT_ONCE = 20;
/** Number of calls placed before the kill. At that time, the remaining calls are unsubmitted or being submitted. */
const PLACED = 15;
const RING_SECONDS = 5;
/** A packet of sound lasts 20 ms. */
const LEAST_PACKETS = 25;

interface PlannedCall {
  readonly number: string;
  readonly expected: Case;
}

interface CallView {
  readonly toNumber: string;
  readonly status: string;
  readonly callStatus: string;
  readonly deliveryReason: string | null;
  readonly completedAt: string | null;
}

/** Plans `ofEach` calls of each case, to consecutive numbers from `first`. */
function planCalls(first: number, each: readonly Case[], ofEach: number): readonly PlannedCall[] {
  const all = Array.from({ length: ofEach }, () => each).flat();
  return all.map((expected, index) => ({ number: `+1202${5_550_000 + first + index}`, expected }));
}

async function check(): Promise<Findings> {
  const [before, during] = [planCalls(100, cases, OF_EACH), planCalls(200, killed, OF_EACH_KILLED)];
  const all = [...before, ...during];
  const reactions = new Map(all.map(({ number, expected }) => [number, expected.reaction]));
  const phones = await SipPhones.listen((number) => reactions.get(number) ?? refuse(500));
  const freeswitch = await startFreeSwitch(phones.port);
  const folder = new MsgdFolder();
  try {
    const settings = { ...freeswitch.settings, calls: CALLS_AT_ONCE };
    const live = new LiveServer("VOICE", settings, { folder, flags: speechFlags(folder.parent) });
    await live.start();
    await live.addMerchant();
    await place(live, before);
    await waitForEnds(live, phones, before);
    await place(live, during);
    const ended = await killAmid(live, phones, during);
    await waitForEnds(live, phones, all);
    const views = await readViews(live);
    const inDoubt = all.filter(({ number }) => phones.callsTo(number).length === 0);
    return {
      faults: all.flatMap((call) => compare(call, views.get(call.number), phones)),
      note: `${phones.count} of ${all.length} calls placed, ${ended} ended while the server was killed, ${inDoubt.length} in doubt`,
    };
  } finally {
    await folder.remove();
    await freeswitch.stop();
    phones.close();
  }
}

async function place(live: LiveServer, calls: readonly PlannedCall[]): Promise<void> {
  for (const { number, expected } of calls) {
    const call = { merchantId: "shop", to: number, text: expected.text, type: "OTP" };
    // a short timeout for a phone that does not answer
    const ring = expected.reaction.does === "ring" ? { timeoutSeconds: RING_SECONDS } : {};
    await live.call("POST", "messages/voice", { ...call, ...ring });
  }
}

/** Kills the server during its calls, and restarts it after some have ended. Returns how many have ended. */
async function killAmid(live: LiveServer, phones: SipPhones, calls: readonly PlannedCall[]): Promise<number> {
  const received = () => calls.flatMap(({ number }) => phones.callsTo(number));
  const countEnded = () => received().filter(({ isOver }) => isOver).length;
  await waitUntil(() => received().length >= PLACED);
  await live.end("SIGKILL");
  const before = countEnded();
  await waitUntil(() => countEnded() > before);
  await live.start();
  return countEnded() - before;
}

/** Waits until each call was placed or is in doubt, and the server knows the end of each placed call. */
async function waitForEnds(live: LiveServer, phones: SipPhones, calls: readonly PlannedCall[]): Promise<void> {
  await live.waitForSent();
  await waitUntil(async () => {
    const views = await readViews(live);
    return calls.every(({ number }) => phones.callsTo(number).length === 0 || views.get(number)?.completedAt);
  });
}

/** Reads the views of all calls, by number. */
async function readViews(live: LiveServer): Promise<ReadonlyMap<string, CallView>> {
  const views = await live.call<CallView[]>("GET", "voice/tts-calls?limit=500");
  return new Map(views.map((view) => [view.toNumber, view]));
}

function compare({ number, expected }: PlannedCall, view: CallView | undefined, phones: SipPhones): string[] {
  const calls = phones.callsTo(number);
  const name = `${number}, ${expected.name}`;
  if (calls.length > 1) return [`${name}: the phone was called ${calls.length} times`];
  const [call] = calls;
  if (call === undefined)
    return view?.completedAt ? [`${name}: the call is ${view.callStatus}, but the phone was never called`] : [];
  const is = [view?.status, view?.callStatus, view?.deliveryReason].join(", ");
  const shouldBe = [expected.status, expected.callStatus, expected.deliveryReason].join(", ");
  const isHeard = expected.reaction.does !== "answer" || call.heard >= LEAST_PACKETS;
  return [
    ...(is === shouldBe ? [] : [`${name}: the call is ${is} instead of ${shouldBe}`]),
    ...(isHeard ? [] : [`${name}: only ${call.heard} packets of sound arrived`]),
  ];
}
