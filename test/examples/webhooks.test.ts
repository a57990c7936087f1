// Each receiver of examples/ as a separate process, with callbacks posted as the service does.

import { signWebhook, type VoiceTtsBatchSummaryView, type VoiceTtsCallView } from "@msgctl/sdk/webhooks";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { at, document } from "../../packages/contract/test/document.ts";
import { ExampleProcess } from "./example-process.ts";

const programs: Readonly<Record<string, [program: string, settings?: Record<string, string>]>> = {
  express: ["examples/webhooks/express.ts"],
  fastify: ["examples/webhooks/fastify.ts"],
  hono: ["examples/webhooks/hono.ts"],
  fetch: ["test/examples/serve-fetch.ts"],
  "Next.js": ["test/examples/serve-nextjs.ts"],
  "AWS Lambda": ["test/examples/serve-lambda.ts"],
  "AWS Lambda and base64": ["test/examples/serve-lambda.ts", { LAMBDA_BODY: "base64" }],
};
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const older = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/** The contract's example data for an event type. */
function exampleOf<View>(type: string): View {
  const json = at(document, "webhooks", type, "post", "requestBody", "content", "application/json", "examples");
  return at(Object.values(json)[0] as typeof json, "value").data as View;
}

const call = exampleOf<VoiceTtsCallView>("voice.tts_call.finalized");
const batch = exampleOf<VoiceTtsBatchSummaryView>("voice.tts_batch.finalized");

describe.each(Object.entries(programs))("the receiver with %s", (_, [program, settings]) => {
  let receiver: ExampleProcess;
  beforeAll(async () => {
    const secrets = { MSGCTL_CALLBACK_SECRETS: `${secret},${older}` };
    receiver = await ExampleProcess.start(program, { PORT: "0", ...secrets, ...settings });
  });
  afterAll(() => receiver?.end());

  const post = async ({ body, headers }: { body: string; headers: Record<string, string> }) =>
    (await fetch(`${receiver.origin}/callbacks`, { method: "POST", body, headers })).status;

  it("accepts each signed callback once, and refuses every other request", async () => {
    const finalized = { type: "voice.tts_call.finalized", data: call } as const;
    const first = await signWebhook(finalized, secret);
    expect(await post(first)).toBe(204);
    const id = first.headers["webhook-id"];
    expect(await post(await signWebhook(finalized, secret, { id }))).toBe(204);
    expect(await post(await signWebhook({ type: "voice.tts_batch.finalized", data: batch }, older))).toBe(204);
    expect(await post(await signWebhook({ type: "voice.of_a_newer_service", data: {} }, secret))).toBe(204);

    const tampered = { ...first, body: first.body.replace(call.requestId, "1") };
    const tooOld = await signWebhook(finalized, secret, { now: Date.now() - 600_000 });
    const others = await signWebhook(finalized, "whsec_b3RoZXIgc2VjcmV0IG9mIDI0IGJ5dGVz");
    const bare = { ...first, headers: { "content-type": "application/json" } };
    for (const refused of [tampered, tooOld, others, bare]) expect(await post(refused)).toBe(400);

    const said = [
      `voice.tts_call.finalized ${call.requestId} SUCCESS`,
      `voice.tts_batch.finalized ${batch.batchId} 2 of 3`,
      "voice.of_a_newer_service is new",
      ...["no_matching_signature", "too_old", "no_matching_signature", "missing_header"],
    ];
    // lines of two streams may arrive in another order
    await vi.waitFor(() => expect(receiver.written.slice(1).sort()).toEqual(said.sort()), 60_000);
  });
});
