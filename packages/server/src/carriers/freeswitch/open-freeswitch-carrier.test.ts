// Tests the outcomes of calls. The clock stands still unless a test advances it.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { findFreePort } from "../../testing/free-port.ts";
import { quietSurroundings, ScriptedFreeSwitch, speechIn } from "../../testing/scripted-freeswitch.ts";
import { submissionOf, until } from "../../testing/scripted-smsc.ts";
import type { CallSurroundings } from "../kind.ts";
import type { Provider, ProviderEvent, Submission, SubmitOutcome } from "../provider.ts";
import { SpeechNotMade } from "../speech/command-speech.ts";
import { callIdOf, openFreeSwitchCarrier } from "./open-freeswitch-carrier.ts";
import type { FreeSwitchSettings } from "./settings.ts";

let clock: VirtualClock;
let freeswitch: ScriptedFreeSwitch;
let carrier: Provider;
let reported: ProviderEvent[];
/** Called when a report is recorded. It may delay or reject. */
let recording: () => Promise<void>;
/** Reported changes of reachability. Undefined: the carrier can be reached. */
let reaches: (string | undefined)[];
/** Number of times that the carrier reported free capacity. */
let rooms: number;
let callsUnderWay: string[];
let fileOf: () => Promise<string>;
let port: number;

const call = { speech: "ab12", language: "en-US", voice: "default", isRecorded: false, ringSeconds: 30 };

beforeEach(async () => {
  clock = createVirtualClock(Date.parse("2026-03-01T12:00:00Z"));
  freeswitch = await ScriptedFreeSwitch.listen(await findFreePort());
  ({ port } = freeswitch);
  reported = [];
  recording = async () => {};
  reaches = [];
  rooms = 0;
  callsUnderWay = [];
  fileOf = async () => "/speech/ab12.wav";
});

afterEach(async () => {
  const stopped = carrier.stop();
  await clock.advanceBy(60_000);
  await stopped;
  await freeswitch.close();
});

function open(settings: Partial<FreeSwitchSettings> = {}, surroundings: Partial<CallSurroundings> = {}): void {
  const logger = { warn: () => {}, error: () => {} };
  carrier = openFreeSwitchCarrier({
    ...{ name: "f", ledger: "1 VOICE", clock, logger, random: () => 0 },
    settings: { ...freeswitch.settings(settings), port },
    surroundings: { ...quietSurroundings, listCallsUnderWay: async () => callsUnderWay, ...surroundings },
    speech: speechIn(() => fileOf()),
  });
  carrier.start(
    async (event) => {
      await recording();
      reported.push(event);
    },
    (unreached) => reaches.push(unreached),
    () => {
      rooms += 1;
    },
  );
}

async function openReady(settings: Partial<FreeSwitchSettings> = {}): Promise<void> {
  open(settings);
  await untilReady();
}

/** Waits until the carrier is connected and has reviewed calls that may have ended without an event. */
async function untilReady(): Promise<void> {
  await until(() => carrier.capacity?.() !== 0 && freeswitch.commands.at(-1) === "api show channels as json");
}

function submit(
  name: string,
  {
    signal = new AbortController().signal,
    handOver = async () => {},
    ...others
  }: Partial<Submission> & { signal?: AbortSignal; handOver?: () => Promise<void> } = {},
): Promise<SubmitOutcome> {
  const submission = submissionOf({
    channel: "VOICE",
    clientReference: name,
    content: "Good morning.",
    call,
    ...others,
  });
  return carrier.submit(submission, { signal, handOver });
}

/** Drops the connection and waits for the next one. */
async function reconnect(): Promise<void> {
  const known = freeswitch.sockets.length;
  freeswitch.sockets.at(-1)?.destroy();
  await until(() => carrier.capacity?.() === 0);
  while (freeswitch.sockets.length === known) await clock.advanceBy(1_000);
  await untilReady();
}

describe("a call", () => {
  it("is placed once, with a UUID derived from the message's id", async () => {
    await openReady();
    expect(await submit("msg_1")).toEqual({ outcome: "taken", providerMessageId: callIdOf("msg_1") });
    expect(freeswitch.placed).toHaveLength(1);
    expect(freeswitch.call()).toMatchObject({ callId: callIdOf("msg_1"), messageId: "msg_1", to: "+12025550100" });
  });

  it("opts the recipient of a MARKETING call out by the key that is set, and counts as heard", async () => {
    await openReady({ marketing: { intro: "Press 9 for no more calls.", optOutKey: "9" } });
    await submit("msg_1", { type: "MARKETING" });
    await submit("msg_2", { type: "REMINDER" });
    const keys = freeswitch.placed.map(({ command }) => /playback_terminators=(\w+)/.exec(command)?.[1]);
    expect(keys).toEqual(["9", "none"]);
    const heard = { answer_epoch: "1772366400", billmsec: "4000", msgd_played: "FILE PLAYED" };
    let fails = 1;
    recording = async () => {
      fails -= 1;
      if (fails === 0) throw new Error("no database");
    };
    freeswitch.end(freeswitch.call("msg_1"), { ...heard, playback_terminator_used: "9" });
    await until(() => fails === 0);
    await clock.advanceBy(1_000);
    await until(() => reported.length === 2);
    const callId = callIdOf("msg_1");
    expect(reported).toEqual([
      { kind: "opt-out", eventId: `${callId} key`, clientReference: "msg_1", cause: "OPT_OUT" },
      {
        ...{ kind: "call", eventId: `${callId} ENDED`, clientReference: "msg_1", providerMessageId: callId },
        report: { stage: "ENDED", outcome: "HEARD", durationSeconds: 4 },
      },
    ]);
  });

  it("leaves right after the hand-over, not before", async () => {
    await openReady();
    let release = () => {};
    const outcome = submit("msg_1", {
      handOver: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    });
    await until(() => String(release) !== "() => {}");
    expect(freeswitch.placed).toEqual([]);
    release();
    expect(await outcome).toMatchObject({ outcome: "taken" });
  });

  it("does not leave if the hand-over is refused", async () => {
    await openReady();
    const handOver = () => Promise.reject(new Error("the lease is another's"));
    await expect(submit("msg_1", { handOver })).rejects.toThrow("the lease is another's");
    expect(await submit("msg_2")).toMatchObject({ outcome: "taken" });
    expect(freeswitch.placed.map(({ messageId }) => messageId)).toEqual(["msg_2"]);
  });

  it("does not leave if it is aborted during the hand-over", async () => {
    await openReady();
    const controller = new AbortController();
    const handOver = async () => controller.abort(new Error("too late"));
    await expect(submit("msg_1", { signal: controller.signal, handOver })).rejects.toThrow("too late");
    expect(freeswitch.placed).toEqual([]);
  });

  it("is deferred if the connection ends during the hand-over", async () => {
    await openReady();
    const handOver = async () => {
      freeswitch.sockets.at(-1)?.destroy();
      await until(() => carrier.capacity?.() === 0);
    };
    expect(await submit("msg_1", { handOver })).toMatchObject({ outcome: "deferred", isUnreached: true });
    expect(freeswitch.placed).toEqual([]);
  });

  it("is deferred while there is no connection, with the address in the explanation", async () => {
    freeswitch.password = "another";
    open();
    await until(() => reaches.length > 0);
    expect(await submit("msg_1")).toEqual({
      ...{ outcome: "deferred", retryAfterMs: 5_000, isUnreached: true },
      detail: `no connection with FreeSWITCH at 127.0.0.1:${port}: the login was refused: -ERR invalid`,
    });
  });

  it("is in doubt if the connection is lost before its command is answered", async () => {
    await openReady();
    freeswitch.answersCalls = false;
    freeswitch.onCall = () => freeswitch.sockets.at(-1)?.destroy();
    await expect(submit("msg_1")).rejects.toThrow(/closed the connection|ECONNRESET/);
  });

  it("is accepted if the next connection reports it", async () => {
    await openReady();
    freeswitch.onCall = () => {};
    const outcome = submit("msg_1");
    await until(() => freeswitch.placed.length === 1);
    await reconnect();
    freeswitch.tell("CHANNEL_ANSWER", freeswitch.call());
    expect(await outcome).toMatchObject({ outcome: "taken" });
  });

  it("is in doubt if no event arrives in time", async () => {
    await openReady();
    freeswitch.onCall = () => {};
    const rejected = expect(submit("msg_1")).rejects.toThrow("no event of the call within 20000 ms");
    await until(() => freeswitch.placed.length === 1);
    await clock.advanceBy(20_000);
    await rejected;
  });

  it("is accepted if its command completes before any event of its channel", async () => {
    await openReady();
    freeswitch.onCall = (placed) => freeswitch.endJob(placed, `+OK ${placed.callId}`);
    expect(await submit("msg_1")).toMatchObject({ outcome: "taken" });
  });

  it.each([
    ["-ERR GATEWAY_DOWN", { outcome: "deferred", isUnreached: true }],
    ["-ERR DESTINATION_OUT_OF_ORDER", { outcome: "deferred", isUnreached: true }],
    ["-ERR INVALID_GATEWAY", { outcome: "deferred", isUnreached: true }],
    ["-ERR CHAN_NOT_IMPLEMENTED", { outcome: "deferred", isUnreached: true }],
    ["-USAGE: <call url> <exten>", { outcome: "failed" }],
    ["-ERR originate Command not found!", { outcome: "failed" }],
  ])("counts as not sent if its command ends with %s before a channel exists", async (words, outcome) => {
    await openReady();
    freeswitch.onCall = (placed) => freeswitch.endJob(placed, words);
    expect(await submit("msg_1")).toMatchObject({ detail: words, ...outcome });
  });

  it("is accepted, not deferred, if its channel is already up", async () => {
    await openReady();
    freeswitch.channels.add(callIdOf("msg_1"));
    freeswitch.onCall = (placed) => freeswitch.endJob(placed, "-ERR DESTINATION_OUT_OF_ORDER");
    expect(await submit("msg_1")).toEqual({ outcome: "taken", providerMessageId: callIdOf("msg_1") });
  });

  it("is refused with the engine's explanation if its speech cannot be made", async () => {
    await openReady();
    fileOf = () => Promise.reject(new SpeechNotMade("espeak-ng ended with 1: no voice"));
    expect(await submit("msg_1")).toEqual({
      ...{ outcome: "refused", reason: "TTS_FAILED", isOptOut: false, detail: "espeak-ng ended with 1: no voice" },
      isUnasked: true,
    });
    fileOf = () => Promise.reject(new Error("EACCES"));
    await expect(submit("msg_1")).rejects.toThrow("EACCES");
    expect(freeswitch.placed).toEqual([]);
  });
});

describe("a call whose speech takes long", () => {
  it("is deferred without counting against FreeSWITCH's health", async () => {
    await openReady();
    fileOf = () => new Promise(() => {});
    const outcome = submit("msg_1");
    await clock.advanceBy(15_000);
    expect(await outcome).toEqual({
      ...{ outcome: "deferred", retryAfterMs: 5_000, detail: "its speech is being made", isUnasked: true },
    });
    expect(freeswitch.placed).toEqual([]);
  });
});

describe("a probe", () => {
  const status = (word: string) => `====\nName    \tcarrier\nStatus  \t${word} (ping)\nState   \tNOREG\n====\n`;

  it.each([
    ["UP", undefined],
    ["DOWN", "gateway carrier: Status DOWN"],
  ])("reports whether the gateway is up: %s", async (word, words) => {
    await openReady();
    freeswitch.onApi = (command) => (command === "sofia status gateway carrier" ? status(word) : undefined);
    const probed = carrier.probe?.();
    if (words === undefined) await probed;
    else await expect(probed).rejects.toThrow(words);
  });

  it("fails if the gateway or the connection is missing", async () => {
    await openReady();
    freeswitch.onApi = () => "Invalid Gateway!\n";
    await expect(carrier.probe?.()).rejects.toThrow("gateway carrier: no such gateway");
    await freeswitch.close();
    await until(() => carrier.capacity?.() === 0);
    await expect(carrier.probe?.()).rejects.toThrow("no connection with FreeSWITCH");
  });
});

describe("a report of a call", () => {
  it("is passed on once for each stage", async () => {
    await openReady();
    await submit("msg_1");
    const placed = freeswitch.call();
    for (const name of ["CHANNEL_PROGRESS", "CHANNEL_ANSWER", "PLAYBACK_START"]) freeswitch.tell(name, placed);
    freeswitch.endHeard(placed);
    await until(() => reported.length === 4);
    const reports = ["RINGING", "ANSWERED", "PLAYING"].map((stage) => ({ stage }));
    expect(reported).toEqual(
      [...reports, { stage: "ENDED", outcome: "HEARD", durationSeconds: 61 }].map((report) => ({
        ...{ kind: "call", clientReference: "msg_1", providerMessageId: placed.callId },
        ...{ eventId: `${placed.callId} ${report.stage}`, report },
      })),
    );
  });

  it("is ignored if the call belongs to another carrier", async () => {
    await openReady();
    await submit("msg_1");
    freeswitch.endHeard({ ...freeswitch.call(), mark: "another" });
    freeswitch.send({ "Event-Name": "CHANNEL_HANGUP_COMPLETE", "Unique-ID": "of nobody" });
    freeswitch.send({ "Event-Name": "HEARTBEAT" });
    freeswitch.send(["no event"]);
    freeswitch.tell("CHANNEL_ANSWER", freeswitch.call());
    await until(() => reported.length > 0);
    expect(reported).toMatchObject([{ report: { stage: "ANSWERED" } }]);
  });

  it("is repeated until it is recorded", async () => {
    await openReady();
    await submit("msg_1");
    let failures = 3;
    recording = async () => {
      failures -= 1;
      if (failures >= 0) throw new Error("the disk is full");
    };
    freeswitch.endHeard(freeswitch.call());
    while (reported.length === 0) await clock.advanceBy(1_000);
    expect(reported).toMatchObject([{ report: { outcome: "HEARD" } }]);
    expect(failures).toBe(-1);
  });

  it("is not read from the socket while 256 events wait to be recorded", async () => {
    await openReady();
    await submit("msg_1");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let begun = 0;
    recording = () => {
      begun += 1;
      return held;
    };
    for (let count = 0; count < 1_000; count++) freeswitch.tell("CHANNEL_ANSWER", freeswitch.call());
    await until(() => begun === 256);
    await new Promise((resume) => setTimeout(resume, 20));
    expect(begun).toBe(256);
    release();
    await until(() => reported.length === 1_000);
  });
});

describe("simultaneous calls", () => {
  it("are limited to the configured number, and free capacity is reported when one ends", async () => {
    await openReady({ calls: 2 });
    expect(carrier.capacity?.()).toBe(2);
    await submit("msg_1");
    await submit("msg_2");
    expect(carrier.capacity?.()).toBe(0);
    reaches = [];
    freeswitch.end(freeswitch.call("msg_1"), { hangup_cause: "USER_BUSY" });
    await until(() => carrier.capacity?.() === 1);
    // a free call slot does not prove that the gateway can be reached
    expect([rooms, reaches]).toEqual([1, []]);
  });

  it("are not allowed before the calls in progress are known", async () => {
    freeswitch.onApi = (command) => (command === "show channels as json" ? "-ERR later" : undefined);
    open();
    await until(() => freeswitch.commands.includes("api show channels as json"));
    await new Promise((resume) => setImmediate(resume));
    expect([carrier.capacity?.(), reaches]).toEqual([0, []]);
    freeswitch.onApi = () => undefined;
    await clock.advanceBy(5_000);
    await until(() => carrier.capacity?.() === 10);
    expect(reaches).toEqual([undefined]);
  });

  it("include calls that an earlier process placed", async () => {
    freeswitch.channels.add(callIdOf("msg_0"));
    callsUnderWay = ["msg_0"];
    await openReady({ calls: 2 });
    await until(() => carrier.capacity?.() === 1);
  });

  it("exclude a call that ended without an event", async () => {
    await openReady({ calls: 2 });
    await submit("msg_1");
    freeswitch.channels.clear();
    await clock.advanceBy(60_000);
    await until(() => carrier.capacity?.() === 2);
  });
});

describe("a call whose events were lost", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "msgd-records-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function record(messageId: string, variables: Readonly<Record<string, string>>): Promise<void> {
    await writeFile(join(folder, `${callIdOf(messageId)}.cdr.json`), JSON.stringify({ variables }));
  }
  const heard = { answer_epoch: "1772366400", billmsec: "4200", msgd_played: "FILE%20PLAYED" };

  it("is reported from its record at the next connection", async () => {
    await openReady({ callRecordFolder: folder });
    await submit("msg_1");
    callsUnderWay = ["msg_1"];
    await record("msg_1", heard);
    freeswitch.channels.clear();
    await reconnect();
    await until(() => reported.length > 0);
    expect(reported).toMatchObject([{ report: { stage: "ENDED", outcome: "HEARD", durationSeconds: 5 } }]);
  });

  it("is reported from its command's result if it had no events and no record", async () => {
    await openReady();
    freeswitch.onCall = (placed) => freeswitch.endJob(placed, "-ERR USER_BUSY");
    expect(await submit("msg_1")).toMatchObject({ outcome: "taken" });
    expect(reported).toMatchObject([{ report: { stage: "ENDED", outcome: "BUSY", durationSeconds: 0 } }]);
  });

  it("is reported from its record if it also began without an event", async () => {
    await openReady({ callRecordFolder: folder });
    freeswitch.onCall = () => {};
    const outcome = submit("msg_1");
    await until(() => freeswitch.placed.length === 1);
    await reconnect();
    await record("msg_1", { hangup_cause: "NO_ANSWER", progress_epoch: "1772366400" });
    freeswitch.endJob(freeswitch.call(), "-ERR NO_ANSWER");
    expect(await outcome).toMatchObject({ outcome: "taken" });
    expect(reported).toMatchObject([{ report: { stage: "ENDED", outcome: "NO_ANSWER" } }]);
  });

  it("is not reported as ended while it has a channel or has no record yet", async () => {
    callsUnderWay = ["msg_1", "msg_2"];
    freeswitch.channels.add(callIdOf("msg_1"));
    await record("msg_1", heard);
    await openReady({ callRecordFolder: folder });
    await clock.advanceBy(60_000);
    expect(reported).toEqual([]);
    await record("msg_2", { ...heard, msgd_played: "" });
    // reading the folder takes real time, so more than one review may begin before the report
    while (reported.length === 0) await clock.advanceBy(60_000);
    for (const report of reported) {
      expect(report).toMatchObject({ clientReference: "msg_2", report: { outcome: "HANGUP" } });
    }
  });

  it.each([
    ["accepted if it has a channel", true, false, "taken"],
    ["accepted if it has a record", false, true, "taken"],
    ["unknown if it has neither a channel nor a record, because it may have been placed", false, false, "unknown"],
  ])("is reported by a look-up as %s", async (_how, isUp, isRecorded, outcome) => {
    await openReady({ callRecordFolder: folder });
    if (isUp) freeswitch.channels.add(callIdOf("msg_1"));
    if (isRecorded) await record("msg_1", heard);
    expect(await carrier.find?.("msg_1", new AbortController().signal)).toMatchObject({ outcome });
    expect(reported).toHaveLength(isRecorded ? 1 : 0);
  });
});

describe("a connection", () => {
  it("is retried until it opens", async () => {
    await openReady();
    await freeswitch.close();
    await until(() => carrier.capacity?.() === 0);
    expect(reaches.at(-1)).toContain(`no connection with FreeSWITCH at 127.0.0.1:${port}: `);
    await clock.advanceBy(30_000);
    freeswitch = await ScriptedFreeSwitch.listen(port);
    while (freeswitch.sockets.length === 0) await clock.advanceBy(5_000);
    await untilReady();
    expect(reaches.at(-1)).toBeUndefined();
    expect(await submit("msg_1")).toMatchObject({ outcome: "taken" });
  });

  it("is ended after a timeout if nothing arrives", async () => {
    freeswitch.isMute = true;
    open();
    await until(() => freeswitch.sockets.length === 1);
    await clock.advanceBy(10_000);
    await until(() => freeswitch.sockets[0]?.destroyed === true);
    expect(reaches.at(-1)).toContain("no connection within 10000 ms");
  });

  it("is probed when it falls silent, and ended if there is no answer", async () => {
    await openReady();
    freeswitch.isMute = true;
    await clock.advanceBy(60_000);
    await until(() => freeswitch.commands.includes("api uptime"));
    await clock.advanceBy(10_000);
    await until(() => carrier.capacity?.() === 0);
    expect(reaches.at(-1)).toContain("no answer to api within 10000 ms");
  });

  it("is not ended while it slowly answers one command after another", async () => {
    await openReady();
    freeswitch.isMute = true;
    const probes = Array.from({ length: 5 }, () => carrier.probe?.());
    const settled = Promise.allSettled(probes);
    await until(() => freeswitch.commands.filter((command) => command.includes("sofia status")).length === 5);
    for (let count = 0; count < 5; count += 1) {
      await clock.advanceBy(8_000);
      freeswitch.sockets[0]?.write("Content-Type: api/response\nContent-Length: 9\n\nStatus UP");
      await new Promise((resume) => setTimeout(resume, 10));
    }
    expect((await settled).map(({ status }) => status)).toEqual(Array(5).fill("fulfilled"));
    expect(carrier.capacity?.()).toBe(10);
  });

  it.each([
    [
      "the access list refuses this machine",
      "Content-Type: text/rude-rejection\nContent-Length: 0\n\n",
      "its access list refuses this machine",
    ],
    [
      "the peer ended it",
      "Content-Type: text/disconnect-notice\nContent-Length: 0\n\n",
      "FreeSWITCH ended the connection",
    ],
    ["the stream is out of sync", "Content-Length: none\n\n", 'a message announced "none" bytes'],
  ])("is reported as lost, with the reason: %s", async (_what, bytes, words) => {
    await openReady();
    freeswitch.sockets[0]?.write(bytes);
    await until(() => carrier.capacity?.() === 0);
    expect(reaches.at(-1)).toContain(words);
  });
});

describe("presence", () => {
  it("is recorded without blocking, even if a thousand phones register during one look-up", async () => {
    const noted: string[] = [];
    freeswitch.holdsAnswers = true;
    freeswitch.onApi = (command) => (command.startsWith("sofia_contact") ? "sofia/internal/sip:alice" : undefined);
    open(
      { presence: true },
      {
        findPhones: async () => ({
          domain: "sip.acme.example",
          users: [{ sipUsername: "alice", extension: "100", isRegistered: false }],
        }),
        notePresence: async ({ sipUsername, registered }) => void noted.push(`${sipUsername} ${registered}`),
      },
    );
    await until(() => freeswitch.commands.includes("api sofia_contact alice@sip.acme.example"));
    for (let index = 0; index < 1_000; index += 1) {
      const from = { "from-user": `phone${index}`, "from-host": "sip.acme.example" };
      freeswitch.send({ "Event-Name": "CUSTOM", "Event-Subclass": "sofia::register", ...from });
    }
    freeswitch.release();
    await until(() => noted.length > 0 && carrier.capacity?.() !== 0);
    expect(noted).toEqual(["alice true"]);
    expect(reaches).toEqual([undefined]);
  });
});

describe("a stop", () => {
  it("waits for the answers to calls that were handed over, and places no others", async () => {
    await openReady();
    freeswitch.onCall = () => {};
    const outcome = submit("msg_1");
    await until(() => freeswitch.placed.length === 1);
    const stopped = carrier.stop();
    expect(await submit("msg_2")).toMatchObject({ outcome: "deferred", isUnreached: true });
    freeswitch.begin(freeswitch.call());
    expect(await outcome).toMatchObject({ outcome: "taken" });
    await stopped;
  });

  it("ends no calls, and closes the connection", async () => {
    await openReady();
    await submit("msg_1");
    await carrier.stop();
    await until(() => freeswitch.sockets.every(({ destroyed }) => destroyed));
    expect(freeswitch.commands.filter((command) => command.includes("hup") || command.includes("kill"))).toEqual([]);
    expect(carrier.capacity?.()).toBe(0);
  });
});
