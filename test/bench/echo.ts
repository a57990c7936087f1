// The yardstick: one Fastify route, written by hand, that validates the same headers and body against the same schemas
// and gives a reply of the same shape by a compiled serializer. It stores nothing and knows nobody.

import { schemas } from "@msgctl/contract/schemas";
import fastify from "fastify";

/** The contract's own formats are left to the patterns beside them, as a hand-written route would. */
const formats = Object.fromEntries(
  ["e164", "iana-timezone", "int64", "int32", "double"].map((name) => [name, true as const]),
);
const app = fastify({ ajv: { customOptions: { removeAdditional: false, coerceTypes: false, formats } } });
for (const [name, schema] of Object.entries(schemas)) app.addSchema({ ...schema, $id: name });

const headers = {
  type: "object",
  required: ["x-api-key", "x-api-secret"],
  properties: {
    "x-api-key": { type: "string", minLength: 1 },
    "x-api-secret": { type: "string", minLength: 1 },
    "idempotency-key": { type: "string", pattern: "^[ -~]{1,255}$" },
  },
};
app.post(
  "/api/v1/messages/sms",
  {
    schema: {
      headers,
      body: { $ref: "V1OmniSmsSendRequest#" },
      response: { 200: { $ref: "DispatchResponse#" } },
    },
  },
  async (request) => {
    const { merchantId } = request.body as { merchantId: string };
    return { merchantId, channel: "SMS", messageId: "msg_01KJQH7VR0C5E7G9J1M3P5R7TV", status: "QUEUED" };
  },
);
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`listening on ${address}\n`);
