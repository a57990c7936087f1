// A backend for one page: the credential stays here, and the browser can request only one thing. MSGCTL_API_KEY,
// MSGCTL_API_SECRET and MSGCTL_BASE_URL name the service; PUBLIC_ORIGIN is the address that browsers see.

import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { ConsentError, MessagingClient } from "@msgctl/sdk";
import Fastify from "fastify";
import { isFromOwnPage } from "./own-page.ts";

const client = new MessagingClient({ totalTimeoutMs: 15_000 });
const merchantId = process.env.MERCHANT_ID ?? "demo";
const port = Number(process.env.PORT ?? 4920);

/** A real shop reads orders from its database. The browser never chooses a message's recipient or its text. */
const orders: Readonly<Record<string, { phone: string; state: string }>> = {
  "1001": { phone: "+12025550100", state: "is on its way" },
  "1002": { phone: "+13125550100", state: "is being packed" },
};

const page = (name: string) => readFileSync(new URL(`page/${name}`, import.meta.url), "utf8");
const files = { "/": ["text/html", page("index.html")], "/page.js": ["text/javascript", page("page.js")] } as const;

const app = Fastify({ bodyLimit: 4_096 });
// only JSON is accepted: a content type that a form of another site can send without a preflight is refused with 415
app.removeContentTypeParser("text/plain");
const publicOrigin = () =>
  process.env.PUBLIC_ORIGIN ?? `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

app.addHook("onRequest", async (request, reply) => {
  if (isFromOwnPage(request.method, request.headers, publicOrigin())) return;
  return reply.code(403).send({ said: "This page may not do that." });
});

app.addHook("onSend", async (_request, reply) => {
  reply.headers({
    "content-security-policy":
      "default-src 'none'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
});

for (const [path, [type, text]] of Object.entries(files)) {
  app.get(path, (_request, reply) => reply.type(`${type}; charset=utf-8`).send(text));
}

interface OrderText {
  order: string;
  requestId: string;
}

const orderText = {
  body: {
    type: "object",
    required: ["order", "requestId"],
    properties: {
      order: { type: "string", pattern: "^[0-9]{4}$" },
      requestId: { type: "string", pattern: "^[0-9a-f-]{36}$" },
    },
  },
};

app.post<{ Body: OrderText }>("/api/order-texts", { schema: orderText }, async (request, reply) => {
  const { order, requestId } = request.body;
  const known = Object.hasOwn(orders, order) ? orders[order] : undefined;
  if (known === undefined) return reply.code(404).send({ said: "There is no such order." });
  const message = `Your order ${order} ${known.state}.`;
  try {
    const sms = { merchantId, to: known.phone, message, type: "TRANSACTIONAL" } as const;
    await client.send.sms(sms, { idempotencyKey: `order-text-${order}-${requestId}` });
    return { said: "We have sent you a text." };
  } catch (error) {
    if (error instanceof ConsentError) return reply.code(403).send({ said: "You have asked us not to text you." });
    // Log the error, which contains no credential. Do not show it to the visitor.
    console.error(error);
    return reply.code(502).send({ said: "That did not work. Please try again." });
  }
});

await app.listen({ port, host: "127.0.0.1" });
console.log(`listening on http://127.0.0.1:${(app.server.address() as AddressInfo).port}`);
