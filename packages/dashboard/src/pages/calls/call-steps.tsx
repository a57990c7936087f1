// The timeline of a call, with the step that follows.

import type { ResponseOf, Views } from "../../api.ts";
import { counted } from "../../elements/counted.ts";
import { Time } from "../../elements/time.tsx";
import { inOrder, type Step } from "../../elements/timeline.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Link } from "../../shell/navigation.tsx";
import { describeAttempts } from "../callbacks/describe-attempts.ts";
import { explainReason } from "../message/reasons.ts";
import { describePermission } from "../message/words.ts";
import { describeSpeech, explainPolicy } from "./reasons.ts";

export type CallDetails = ResponseOf<"getCall">;
type Call = CallDetails["call"];

export function listSteps({ call, message, spokenAt, callbacks }: CallDetails): Step[] {
  const { createdAt, scheduledAt, executedAt, completedAt, status, providerCallId, attemptCount } = call;
  const { takenAt, provider, carrierSaidAt, carrierWords } = message;
  const carrier = provider ?? "the carrier";
  const wasRefusedAtOnce = status === "REJECTED" && completedAt === createdAt;
  const steps: Step[] = [];
  if (!wasRefusedAtOnce) {
    const delay = scheduledAt === null ? undefined : describeDelay(call);
    const permission = status === "REJECTED" ? undefined : toVisible(describePermission(message));
    const detail = [permission, delay].filter((words) => words !== undefined).join(" ");
    steps.push({ at: createdAt, title: "Accepted", ...(detail === "" ? {} : { detail }) });
  }
  if (executedAt !== null) steps.push({ at: executedAt, title: "Started" });
  if (spokenAt !== null) steps.push({ at: spokenAt, title: "Speech ready", detail: describeVoice(call) });
  if (takenAt !== null) {
    const detail = [
      ...(attemptCount > 1 ? [`After ${counted(attemptCount, "attempt")} to submit it.`] : []),
      ...(providerCallId === null ? [] : [`The carrier's id is ${toVisible(providerCallId)}.`]),
    ];
    steps.push({ at: takenAt, title: `Dialled by ${carrier}`, detail: detail.join(" ") });
  }
  if (carrierSaidAt !== null && carrierWords !== null) {
    steps.push({ at: carrierSaidAt, title: `Message from ${carrier}`, detail: `“${toVisible(carrierWords)}”` });
  }
  if (completedAt !== null) steps.push({ at: completedAt, ...describeEnd(call) });
  const [done, toCome] = [inOrder(steps), completedAt === null ? [describeNext(call, message)] : []];
  if (completedAt !== null && call.billingState !== "FINALIZED") {
    toCome.push({
      at: null,
      title: "Waiting for the price",
      detail: "Until the carrier reports it, the cost is an estimate.",
    });
  }
  const last = describeCallbacks(callbacks);
  if (last === undefined) return [...done, ...toCome];
  return last.at === null || completedAt === null
    ? [...done, ...toCome, { ...last, at: null }]
    : [...inOrder([...done, last]), ...toCome];
}

/** Why the call could not ring at once. */
export function describeDelay({
  policyReason,
  executionTimezone,
}: Pick<Call, "policyReason" | "executionTimezone">): string {
  const zone = executionTimezone === null ? "" : ` (${toVisible(executionTimezone)})`;
  if (policyReason === "QUIET_HOURS")
    return `Quiet hours: marketing calls ring from 08:00 to 21:00 in the recipient's time zone${zone}.`;
  if (policyReason === "TIMEZONE_INFERRED") {
    return `The recipient may be in several time zones, so it waits until marketing calls may ring in all of them${zone}.`;
  }
  return policyReason === null ? "" : `It ${explainPolicy(policyReason) ?? toVisible(policyReason)}.`;
}

function describeVoice({ ttsCacheStatus, provider, model, actualTtsCharacters }: Call): string {
  const words = describeSpeech(ttsCacheStatus);
  const from =
    ttsCacheStatus === "MISS" && provider !== null ? ` by ${provider}${model === null ? "" : ` ${model}`}` : "";
  const size =
    ttsCacheStatus === "MISS" && actualTtsCharacters !== null ? `, ${counted(actualTtsCharacters, "character")}` : "";
  return toVisible(`${words.charAt(0).toUpperCase()}${words.slice(1)}${from}${size}.`);
}

/** The outcome of a call that has ended, why, and what follows. */
export function describeEnd({
  finalStatus,
  status,
  deliveryReason,
  policyReason,
  error,
  callDurationSeconds,
}: Pick<Call, "finalStatus" | "status" | "deliveryReason" | "policyReason" | "error" | "callDurationSeconds">): Pick<
  Step,
  "title"
> & { readonly detail: string } {
  const title = titleOf(finalStatus, status);
  const detail: string[] = [];
  if (deliveryReason !== null) detail.push(explainReason(deliveryReason, "VOICE"));
  else if (status === "REJECTED" && policyReason !== null) detail.push(explainRefusal(policyReason));
  else if (error !== null) detail.push(toVisible(error));
  if (callDurationSeconds !== null && callDurationSeconds > 0) {
    detail.push(`The line was open for ${counted(callDurationSeconds, "second")}.`);
  }
  if (finalStatus !== "SUCCESS") detail.push("msgd does not call again.");
  return { title, detail: detail.join(" ") };
}

function titleOf(finalStatus: string, status: string): string {
  if (finalStatus === "SUCCESS") return "Heard to the end";
  if (finalStatus === "PARTIAL") return "Heard in part";
  if (status === "REJECTED") return "Refused";
  return status === "CANCELED" ? "Canceled" : "Failed";
}

function explainRefusal(policyReason: string): string {
  const words = explainPolicy(policyReason)?.replace(/^refused: /, "") ?? toVisible(policyReason);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

const nexts: Readonly<Record<string, readonly [title: string, detail: string]>> = {
  QUEUED: ["Waiting to start", "It waits for its turn, for speech synthesis, or for a carrier to be set."],
  SYNTHESIZING: ["Speech being generated", "When the speech is ready, the number is dialled."],
  DIALING: [
    "Being dialled",
    "msgd submits it until a carrier accepts it. A call that may have rung is never dialled again.",
  ],
  INITIATED: ["Dialled", "The phone has not rung yet."],
  RINGING: ["Ringing", "Nobody has answered yet."],
  IN_PROGRESS: ["Answered", "The message is being played."],
};

/** Describes the event that a call waits for. The call must not have ended. */
export function describeNext(
  { status, callStatus, scheduledAt }: Pick<Call, "status" | "callStatus" | "scheduledAt">,
  { carrierDown }: Pick<CallDetails["message"], "carrierDown">,
): Step {
  if (status === "SCHEDULED" && scheduledAt !== null) {
    return {
      at: null,
      title: "Scheduled",
      detail: (
        <>
          It starts on <Time at={scheduledAt} isWhole />, if the recipient has not opted out by then.
        </>
      ),
    };
  }
  const [title, detail] = nexts[callStatus === "QUEUED" ? status : callStatus] ?? [toVisible(status), ""];
  if (carrierDown === null || callStatus !== "QUEUED") return { at: null, title, detail };
  return {
    at: null,
    title,
    detail: (
      <>
        {detail} Its carrier {carrierDown.name} has been unreachable since <Time at={carrierDown.since} isWhole />:{" "}
        {toVisible(carrierDown.words)}
      </>
    ),
  };
}

/** Describes the outcome of the callbacks, which are sorted newest first; undefined if there are none. */
function describeCallbacks(callbacks: readonly Views["CallbackRow"][]): Step | undefined {
  const [newest] = callbacks;
  if (newest === undefined) return undefined;
  // the oldest pending one is posted next
  const shown = callbacks.findLast(({ status }) => status === "PENDING") ?? newest;
  const titles = { PENDING: "Callback pending", DELIVERED: "Callback delivered", FAILED: "Callback failed" } as const;
  const detail = (
    <>
      <Link to={{ page: "callback", webhookId: shown.webhookId }}>{toVisible(shown.type)}</Link>:{" "}
      {toVisible(describeAttempts(shown))}
      {shown.nextAttemptAt !== null && (
        <>
          , due <Time at={shown.nextAttemptAt} isWhole />
        </>
      )}
    </>
  );
  return { at: shown.status === "PENDING" ? null : shown.updatedAt, title: titles[shown.status], detail };
}
