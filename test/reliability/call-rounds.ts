// Kills a server whose calls a FreeSWITCH places. FreeSWITCH continues the calls, and can be asked which calls it has.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type PlacedCall, ScriptedFreeSwitch } from "../../packages/server/src/testing/scripted-freeswitch.ts";
import { speakByScript } from "../e2e/speech-script.ts";
import { between } from "./between.ts";
import { countEach } from "./carried.ts";
import { type CarrierResult, runKillRounds } from "./carrier-rounds.ts";
import type { Sending } from "./persistent-load.ts";

/** Longest time until a call has a channel. Before that, FreeSWITCH does not know the call. */
const LONGEST_BEGIN_MS = 25;
const LONGEST_CALL_MS = 300;

const calls: Sending = {
  path: "voice/tts-calls",
  recipient: (serial) => `+1202${5_550_000 + serial}`,
  body: (toNumber) => ({ merchantId: "first", messageText: "Your code is 4 2.", useCase: "OTP", toNumber }),
};

/** Ends of a call, as variables of its channel. */
const ends = [
  { hangup_cause: "NORMAL_CLEARING", answer_epoch: "1772366400", billmsec: "4000", msgd_played: "FILE PLAYED" },
  { hangup_cause: "USER_BUSY", sip_invite_failure_status: "486" },
];

export function runCallRounds(rounds: number): Promise<CarrierResult> {
  return runKillRounds(rounds, calls, async (folder) => {
    const freeswitch = await ScriptedFreeSwitch.listen();
    const callRecordFolder = join(folder, "records");
    mkdirSync(callRecordFolder);

    async function place(call: PlacedCall): Promise<void> {
      await sleep(between(0, LONGEST_BEGIN_MS));
      freeswitch.begin(call);
      await sleep(between(0, LONGEST_CALL_MS));
      const variables = ends[Math.floor(between(0, ends.length))] ?? {};
      writeFileSync(join(callRecordFolder, `${call.callId}.cdr.json`), JSON.stringify({ variables }));
      freeswitch.end(call, variables);
    }

    freeswitch.onCall = (call) => void place(call);
    return {
      channel: "VOICE",
      settings: freeswitch.settings({ calls: 50, callRecordFolder }),
      flags: speakByScript(folder),
      tellsEnds: true,
      countTaken: () => countEach(freeswitch.placed.map(({ to }) => to)),
      close: () => freeswitch.close(),
    };
  });
}
