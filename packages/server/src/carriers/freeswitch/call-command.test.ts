import { describe, expect, it } from "vitest";
import { type CallPlan, writeOriginate } from "./calls.ts";
import { callIdOf, carrierMark } from "./open-freeswitch-carrier.ts";
import type { FreeSwitchSettings } from "./settings.ts";

const settings: FreeSwitchSettings = {
  ...{ kind: "freeswitch", host: "127.0.0.1", port: 8021, password: "secret", gateway: "carrier" },
  ...{ callerId: "+12025550199", calls: 10, presence: false },
};
const plan: CallPlan = {
  ...{ callId: "2b2b0f51-25ad-8931-8692-a8091d6004eb", messageId: "msg_1", mark: "9f86d081884c", to: "+12025550100" },
  ...{ file: "/speech/ab12.wav", isRecorded: false, ringSeconds: 30 },
};
const played = "set:msgd_played=$" + "{current_application_response}";

describe("writeOriginate", () => {
  it("creates a channel that plays a file and hangs up; channel and job have the call's UUID", () => {
    expect(writeOriginate(plan, settings).split("\n")).toEqual([
      [
        "bgapi originate {origination_uuid=2b2b0f51-25ad-8931-8692-a8091d6004eb",
        ...["origination_caller_id_number=+12025550199", "origination_caller_id_name='+12025550199'"],
        ...["originate_timeout=30", "ignore_early_media=true", "playback_terminators=none"],
        "msgd_message=msg_1",
        `msgd_carrier=9f86d081884c}sofia/gateway/carrier/+12025550100 'sleep:500`,
        ...["playback:/speech/ab12.wav", played, "hangup:NORMAL_CLEARING' inline"],
      ].join(","),
      "Job-UUID: 2b2b0f51-25ad-8931-8692-a8091d6004eb",
    ]);
  });

  it("lets only the key that opts out stop the speech", () => {
    expect(writeOriginate({ ...plan, optOutKey: "9" }, settings)).toContain(",playback_terminators=9,");
  });

  it("shows a caller name if there is one", () => {
    const command = writeOriginate(plan, { ...settings, callerName: "Müller & Co. 24" });
    expect(command).toContain(",origination_caller_id_name='Müller & Co. 24',");
  });

  it.each([
    ["FreeSWITCH's own folder", {}, "'record_session:$" + "{recordings_dir}/msg_1.wav,sleep:500,"],
    ["the folder that is set", { recordingFolder: "/rec" }, "'record_session:/rec/msg_1.wav,sleep:500,"],
  ])("records a call in %s if asked to", (_where, others, applications) => {
    expect(writeOriginate({ ...plan, isRecorded: true }, { ...settings, ...others })).toContain(applications);
  });
});

describe("callIdOf", () => {
  it("always returns the same UUID for a message, and different UUIDs for different messages", () => {
    expect(callIdOf("msg_1")).toBe(callIdOf("msg_1"));
    expect(callIdOf("msg_1")).not.toBe(callIdOf("msg_2"));
    expect(callIdOf("msg_1")).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  });
});

describe("carrierMark", () => {
  it("differs between carriers and reveals nothing about them", () => {
    expect(carrierMark("1 VOICE")).toMatch(/^[\da-f]{12}$/);
    expect(carrierMark("1 VOICE")).not.toBe(carrierMark("2 VOICE"));
  });
});
