import type { CallReport } from "../provider.ts";
import { CARRIER_VARIABLE, MESSAGE_VARIABLE } from "./call-command.ts";
import { readEnd, type Variables } from "./call-ends.ts";
import type { SocketEvent } from "./event-socket.ts";

/** An event of a call of ours. */
export interface CallEvent {
  readonly callId: string;
  readonly messageId: string;
  readonly mark: string;
  /** Undefined for one that says only that the call is there. */
  readonly report: CallReport | undefined;
}

const stages: Readonly<Record<string, "RINGING" | "ANSWERED" | "PLAYING">> = {
  CHANNEL_PROGRESS: "RINGING",
  CHANNEL_PROGRESS_MEDIA: "RINGING",
  CHANNEL_ANSWER: "ANSWERED",
  PLAYBACK_START: "PLAYING",
};

/** What an event says of a call; undefined if it is of none of ours. */
export function readCallEvent(event: SocketEvent): CallEvent | undefined {
  const variable: Variables = (name) => event[`variable_${name}`];
  const callId = event["Unique-ID"];
  const messageId = variable(MESSAGE_VARIABLE);
  if (callId === undefined || messageId === undefined) return undefined;
  return { callId, messageId, mark: variable(CARRIER_VARIABLE) ?? "", report: readReport(event, variable) };
}

function readReport(event: SocketEvent, variable: Variables): CallReport | undefined {
  const name = event["Event-Name"] ?? "";
  if (name === "CHANNEL_HANGUP_COMPLETE") return readEnd(variable);
  const stage = stages[name];
  return stage === undefined ? undefined : { stage };
}
