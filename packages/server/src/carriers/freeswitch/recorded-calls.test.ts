// Replays recorded events of FreeSWITCH 1.10.12 for calls to a SIP peer. `recorded/` has a file per call, from the
// reply to its command on, unchanged except for variables that do not concern the call's end.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createVirtualClock } from "../../development/clocks.ts";
import { quietSurroundings, ScriptedFreeSwitch, speechIn } from "../../testing/scripted-freeswitch.ts";
import { submissionOf, until } from "../../testing/scripted-smsc.ts";
import type { CallReport, Provider, ProviderEvent } from "../provider.ts";
import { openFreeSwitchCarrier } from "./open-freeswitch-carrier.ts";

const folder = join(import.meta.dirname, "recorded");

let freeswitch: ScriptedFreeSwitch;
let carrier: Provider;
const reported: ProviderEvent[] = [];
let recording: Buffer;

beforeAll(async () => {
  freeswitch = await ScriptedFreeSwitch.listen();
  freeswitch.answersCalls = false;
  freeswitch.onCall = () => freeswitch.sockets.at(-1)?.write(recording);
  carrier = openFreeSwitchCarrier({
    // the calls were recorded with this name and ledger
    ...{ name: "f", ledger: "test", clock: createVirtualClock(0), logger: { warn: () => {}, error: () => {} } },
    settings: freeswitch.settings(),
    surroundings: quietSurroundings,
    speech: speechIn(async () => "/srv/speech/tone.wav"),
  });
  carrier.start(async (event) => void reported.push(event));
  await until(() => carrier.capacity?.() !== 0);
});
afterAll(async () => {
  await carrier.stop();
  await freeswitch.close();
});

/** For each call: the expected outcome, the stages before the end, and the duration in seconds. */
const ended: readonly [string, (CallReport & { stage: "ENDED" })["outcome"], string, number][] = [
  ["played", "HEARD", "RINGING ANSWERED PLAYING", 2],
  ["answer-at-once", "HEARD", "ANSWERED PLAYING", 2],
  ["answer-after-180-183", "HEARD", "RINGING RINGING ANSWERED PLAYING", 2],
  ["keys-during-speech", "HEARD", "ANSWERED PLAYING", 10],
  ["record-folder", "HEARD", "RINGING RINGING ANSWERED PLAYING", 9],
  ["redirect-302", "HEARD", "ANSWERED PLAYING", 2],
  ["hangup-during", "HANGUP", "RINGING ANSWERED PLAYING", 2],
  ["hangup-in-pause", "HANGUP", "RINGING ANSWERED", 1],
  ["file-missing", "PLAYBACK_FAILED", "RINGING ANSWERED", 1],
  ["file-garbage", "PLAYBACK_FAILED", "RINGING ANSWERED", 1],
  ["answer-bad-codec", "CARRIER_UNKNOWN", "", 0],
  ["busy-486", "BUSY", "", 0],
  ["sip-600", "BUSY", "", 0],
  ["ring-time-over-180", "NO_ANSWER", "RINGING", 0],
  ["ring-time-over-183", "NO_ANSWER", "RINGING", 0],
  ["reason-480-q850-19", "NO_ANSWER", "", 0],
  ["sip-487", "NO_ANSWER", "", 0],
  ["sip-480", "UNREACHABLE", "", 0],
  ["sip-480-after-180", "UNREACHABLE", "RINGING", 0],
  ["sip-408", "UNREACHABLE", "", 0],
  ["reason-480-q850-20", "UNREACHABLE", "", 0],
  ["ring-time-over-100", "UNREACHABLE", "", 0],
  ["no-reply-ring5", "UNREACHABLE", "", 0],
  ["no-reply-ring60", "UNREACHABLE", "", 0],
  ["gateway-unresolved", "UNREACHABLE", "", 0],
  ["sip-603", "BLOCKED", "", 0],
  ["sip-603-after-180", "BLOCKED", "RINGING", 0],
  ["sip-607", "BLOCKED", "", 0],
  ["sip-608", "CARRIER_FILTERED", "", 0],
  ["sip-404", "INVALID_NUMBER", "", 0],
  ["sip-410", "INVALID_NUMBER", "", 0],
  ["sip-484", "INVALID_NUMBER", "", 0],
  ["sip-485", "INVALID_NUMBER", "", 0],
  ["sip-604", "INVALID_NUMBER", "", 0],
  ["sip-401", "CARRIER_UNKNOWN", "", 0],
  ["sip-402", "CARRIER_UNKNOWN", "", 0],
  ["sip-407", "CARRIER_UNKNOWN", "", 0],
  ["sip-500", "CARRIER_UNKNOWN", "", 0],
  ["sip-502", "CARRIER_UNKNOWN", "", 0],
  ["sip-503", "CARRIER_UNKNOWN", "", 0],
  ["reason-503-q850-34", "CARRIER_UNKNOWN", "", 0],
  ["gateway-closed-port", "CARRIER_UNKNOWN", "", 0],
];

/** Expected outcomes of calls that never had a channel. */
const unplaced: readonly [string, object][] = [
  ["gateway-down", { outcome: "deferred", isUnreached: true, detail: "-ERR GATEWAY_DOWN" }],
  ["gateway-unknown", { outcome: "deferred", isUnreached: true, detail: "-ERR INVALID_GATEWAY" }],
  ["profile-missing", { outcome: "deferred", isUnreached: true, detail: "-ERR INVALID_PROFILE" }],
  ["fs-paused", { outcome: "deferred", isUnreached: true, detail: "-ERR DESTINATION_OUT_OF_ORDER" }],
];

async function tell(name: string): Promise<object> {
  recording = readFileSync(join(folder, `${name}.txt`));
  reported.length = 0;
  const messageId = /"variable_msgd_message":"([^"]*)"/.exec(recording.toString())?.[1];
  // if there was no channel, the recording has only the id of the job
  return messageId === undefined ? tellOfJob() : carrier.submit(callOf(messageId), callBounds);
}

const callBounds = { signal: new AbortController().signal, handOver: async () => {} };

function callOf(clientReference: string) {
  return submissionOf({ channel: "VOICE", clientReference });
}

/** Places a call with another id, and replays the recorded events for it. */
function tellOfJob(): Promise<object> {
  const [, recorded = ""] = /Job-UUID: (\S+)/.exec(recording.toString()) ?? [];
  const once = freeswitch.onCall;
  freeswitch.onCall = ({ callId }) => {
    freeswitch.onCall = once;
    freeswitch.sockets.at(-1)?.write(recording.toString().replaceAll(recorded, callId));
  };
  return carrier.submit(callOf("msg_unplaced"), callBounds);
}

it.each(ended)("reports the end of a call like %s as %s, after %s", async (name, outcome, stages, durationSeconds) => {
  expect(await tell(name)).toMatchObject({ outcome: "taken" });
  await until(() => reported.some((event) => event.kind === "call" && event.report.stage === "ENDED"));
  const reports = reported.flatMap((event) => (event.kind === "call" ? [event.report] : []));
  expect(reports.at(-1)).toEqual({ stage: "ENDED", outcome, durationSeconds });
  expect(reports.slice(0, -1).map(({ stage }) => stage)).toEqual(stages.split(" ").filter((stage) => stage !== ""));
});

it.each(unplaced)("reports that a call like %s was never placed", async (name, outcome) => {
  expect(await tell(name)).toMatchObject(outcome);
  expect(reported).toEqual([]);
});

it("replays every recording", () => {
  const told = [...ended, ...unplaced].map(([name]) => `${name}.txt`);
  expect(readdirSync(folder).sort()).toEqual(told.sort());
});
