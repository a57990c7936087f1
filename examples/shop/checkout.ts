// Express checkout: confirms an order by SMS and email. Set MSGCTL_BASE_URL, MSGCTL_API_KEY and MSGCTL_API_SECRET, then:
// npx tsx examples/shop/checkout.ts
import type { AddressInfo } from "node:net";
import {
  ConnectionError,
  ConsentError,
  type DispatchResponse,
  MessagingClient,
  type Outcome,
  QuotaExceededError,
  ServerError,
  ValidationError,
} from "@msgctl/sdk";
import express from "express";

const merchantId = process.env.MERCHANT_ID ?? "demo";
const client = new MessagingClient({ totalTimeoutMs: 15_000 });

/** Describes the outcome in the shop's own words, shown next to "SMS" and "Email" on its page. */
function wordsFor(outcome: Outcome<DispatchResponse>): string {
  if (outcome.ok) return outcome.meta.replayed ? "was sent" : "sent";
  const { error } = outcome;
  if (error instanceof ConsentError) return "not sent: you asked us not to write to you here";
  if (error instanceof ValidationError) return "not sent: please check the address";
  // The shop has to correct this, not the customer.
  console.error(error.message);
  if (error instanceof QuotaExceededError) return "not sent: you can find the order in your account";
  // The message may or may not have been sent. A retry is safe, because it uses the order's idempotency key.
  if (error instanceof ConnectionError || error instanceof ServerError) return "delayed: please try again";
  return "not sent";
}

const app = express();
app.use(express.json());
app.post("/orders/:id/confirmation", async (request, response) => {
  const { id } = request.params;
  const { phone, email, total } = request.body;
  const text = `Thank you. Order ${id} over $${total} is placed.`;
  const type = "TRANSACTIONAL";
  // Sends both at once. A reload, a second click and a retry use the same keys, so each order gets one SMS and one email.
  const [sms, mail] = await Promise.all([
    client.send.sms({ merchantId, to: phone, message: text, type }, { idempotencyKey: `order-${id}-sms` }).safe(),
    client.send
      .email(
        { merchantId, to: email, subject: `Order ${id}`, body: text, type },
        { idempotencyKey: `order-${id}-email` },
      )
      .safe(),
  ]);
  // The order is valid even if its confirmation could not be sent.
  response.status(sms.ok || mail.ok ? 200 : 502).json({ order: id, sms: wordsFor(sms), email: wordsFor(mail) });
});

const server = app.listen(Number(process.env.PORT ?? 4901), "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
