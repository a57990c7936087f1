// The yardstick: Fastify with the same body, validated, and a reply of the same fields by a compiled serializer.

import fastify from "fastify";

const text = { type: "string" } as const;
const app = fastify();
app.post(
  "/api/v1/messages/sms",
  {
    schema: {
      body: {
        type: "object",
        required: ["merchantId", "to", "message", "type"],
        additionalProperties: false,
        properties: { merchantId: text, to: text, message: text, type: text },
      },
      response: {
        200: { type: "object", properties: { merchantId: text, channel: text, messageId: text, status: text } },
      },
    },
  },
  async (request) => {
    const { merchantId, to } = request.body as { merchantId: string; to: string };
    return { merchantId, channel: "SMS", messageId: to, status: "QUEUED" };
  },
);
const address = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`listening on ${address}\n`);
