/** Expectations of the compiler about an event: `npm run typecheck` fails if they are not met. */
import { expectTypeOf } from "vitest";
import {
  type MessageReceivedEvent,
  type MessageUpdatedEvent,
  signWebhook,
  type UnknownEvent,
  type VoiceTtsBatchSummaryView,
  type VoiceTtsCallView,
  verifyWebhook,
  type WebhookEvent,
} from "./index.ts";

declare const event: WebhookEvent;
declare const call: VoiceTtsCallView;
declare const nodeRequest: import("node:http").IncomingMessage;

// The type determines the data, and the remaining case is an event of a newer service
switch (event.type) {
  case "voice.tts_call.updated":
  case "voice.tts_call.finalized":
    expectTypeOf(event.data).toEqualTypeOf<VoiceTtsCallView>();
    break;
  case "voice.tts_batch.finalized":
    expectTypeOf(event.data).toEqualTypeOf<VoiceTtsBatchSummaryView>();
    break;
  case "message.updated":
    expectTypeOf(event.data).toEqualTypeOf<MessageUpdatedEvent["data"]>();
    expectTypeOf(event.data.sequence).toBeNumber();
    // states and reasons are open: a newer service may add some
    expectTypeOf<"RETURNED">().toExtend<typeof event.data.status>();
    break;
  case "message.received":
    expectTypeOf(event.data).toEqualTypeOf<MessageReceivedEvent["data"]>();
    expectTypeOf(event.data.messageId).toEqualTypeOf<string | null>();
    break;
  case "callbacks.test":
    expectTypeOf(event.data.tenantId).toBeString();
    break;
  default:
    expectTypeOf(event).toEqualTypeOf<UnknownEvent>();
    expectTypeOf(event.data).toBeUnknown();
    expectTypeOf(event.type).toExtend<string>();
}
expectTypeOf(event.id).toBeString();
expectTypeOf(event.timestamp).toBeString();
// @ts-expect-error a misspelt type would never come
if (event.type === "voice.tts_call.finalised") event.data;

// Headers of fetch, and of a Node request
expectTypeOf(verifyWebhook("", new Headers(), "whsec_")).resolves.toEqualTypeOf<WebhookEvent>();
verifyWebhook(Buffer.from(""), nodeRequest.headers, ["a", "b"] as const, { toleranceMs: 1000 });
// @ts-expect-error a parsed body
verifyWebhook({ type: "voice.tts_call.updated" }, new Headers(), "whsec_");

// An event is checked against the contract if the contract has its type
signWebhook({ type: "voice.tts_call.updated", data: call }, "whsec_");
signWebhook({ type: "voice.of_a_newer_service", data: { any: true } }, "whsec_");
// @ts-expect-error a batch's event has a summary
signWebhook({ type: "voice.tts_batch.finalized", data: call }, "whsec_");
