// The reference server: one hand-written Fastify route that validates the same headers and body against the same schemas, and
// returns the body through a compiled serializer. It has no storage and no authentication.

import { schemas } from "@msgctl/contract/schemas";
import fastify from "fastify";

/** Replaces the contract's custom formats with no-ops, as a hand-written route would. The patterns beside them still apply. */
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
      response: { 200: { $ref: "V1OmniSmsSendRequest#" } },
    },
  },
  async (request) => request.body,
);
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`listening on ${address}\n`);
