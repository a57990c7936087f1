// The command that places a call: a channel of a UUID of ours, which plays a file once it is answered, and hangs up.

import type { FreeSwitchSettings } from "../../../rules/carrier-settings.ts";

export interface CallPlan {
  readonly callId: string;
  readonly messageId: string;
  /** Of the carrier, by which it knows its calls. */
  readonly mark: string;
  /** E.164. */
  readonly to: string;
  /** Where FreeSWITCH finds the speech. */
  readonly file: string;
  readonly isRecorded: boolean;
  readonly ringSeconds: number;
}

/** The variable that names the message of a call. */
export const MESSAGE_VARIABLE = "msgd_message";
/** The variable that has the carrier's mark. */
export const CARRIER_VARIABLE = "msgd_carrier";
/** The variable that says how playing ended: it is set once that has, and not if the call ended before. */
export const PLAYED_VARIABLE = "msgd_played";

/** Where FreeSWITCH keeps recordings. */
const RECORDINGS = "$" + "{recordings_dir}";
/** Who answers says a word first. */
const PAUSE_MS = 500;

/** The command, without the empty line that ends it. The job has the UUID of the call. */
export function writeOriginate(plan: CallPlan, settings: FreeSwitchSettings): string {
  const { callId, messageId, mark, to, ringSeconds } = plan;
  const { gateway, callerId, callerName } = settings;
  const variables = Object.entries({
    origination_uuid: callId,
    origination_caller_id_number: callerId,
    origination_caller_id_name: `'${callerName ?? callerId}'`,
    originate_timeout: ringSeconds,
    // a ringing tone is no answer
    ignore_early_media: true,
    // a key that is pressed does not end the speech
    playback_terminators: "none",
    [MESSAGE_VARIABLE]: messageId,
    [CARRIER_VARIABLE]: mark,
  }).map(([name, value]) => `${name}=${value}`);
  return [
    `bgapi originate {${variables.join(",")}}sofia/gateway/${gateway}/${to} '${listSteps(plan, settings).join(",")}' inline`,
    `Job-UUID: ${callId}`,
  ].join("\n");
}

function listSteps({ messageId, file, isRecorded }: CallPlan, { recordingFolder }: FreeSwitchSettings): string[] {
  const recording = `${recordingFolder ?? RECORDINGS}/${messageId}.wav`;
  return [
    ...(isRecorded ? [`record_session:${recording}`] : []),
    `sleep:${PAUSE_MS}`,
    `playback:${file}`,
    `set:${PLAYED_VARIABLE}=\${current_application_response}`,
    "hangup:NORMAL_CLEARING",
  ];
}
