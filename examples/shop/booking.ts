// Fastify booking service: appointments with a reminder the day before, and an opt-out page.
// The variables MSGCTL_… name the service. LINK_SECRET signs the links to the opt-out page.
// Run it with: npx tsx examples/shop/booking.ts
import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import {
  ApiError,
  ConsentError,
  IdempotencyError,
  MessagingClient,
  MessagingError,
  ValidationError,
} from "@msgctl/sdk";
import Fastify from "fastify";

const DAY_MS = 86_400_000;
const merchantId = process.env.MERCHANT_ID ?? "demo";
const linkSecret = process.env.LINK_SECRET ?? randomUUID(); // without LINK_SECRET, links break at a restart
const client = new MessagingClient({ totalTimeoutMs: 15_000 });

interface Booking {
  readonly phone: string;
  /** When the visit begins, ISO 8601. */
  readonly at: string;
}
/** Stands in for a database table. `remindedOf` is the visit's time as given in the last reminder. */
const bookings = new Map<string, Booking & { remindedOf?: string }>();

const signatureOf = (phone: string) => createHmac("sha256", linkSecret).update(phone).digest("base64url");
function isSignature(text: string, phone: string): boolean {
  const [given, right] = [Buffer.from(text), Buffer.from(signatureOf(phone))];
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Sends reminders for visits within a day. A cron job calls it every few minutes, from 8:00 to 21:00 local time. */
async function remindDue(now: Date): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  for (const [id, booking] of bookings) {
    const { phone, at, remindedOf } = booking;
    const left = Date.parse(at) - now.getTime();
    if (remindedOf === at || left <= 0 || left > DAY_MS) continue;
    const message = `Your visit is on ${at}. Reply STOP to opt out.`;
    // The time is part of the key: a visit that moves gets another reminder, and a job that runs twice sends one.
    const idempotencyKey = `visit-${id}-${at}`;
    const outcome = await client.send
      .sms({ merchantId, to: phone, message, type: "REMINDER" }, { idempotencyKey })
      .safe();
    // A guest who opted out gets no further attempt. Any other failure is retried in the next run.
    if (outcome.ok || outcome.error instanceof ConsentError) booking.remindedOf = at;
    told[id] = outcome.ok ? "reminded" : outcome.error instanceof ApiError ? String(outcome.error.code) : "later";
  }
  return told;
}

const app = Fastify();
app.addContentTypeParser("application/x-www-form-urlencoded", (_request, _payload, done) => done(null));

type Put = { Params: { id: string }; Body: Booking & { mayRemind?: boolean } };
app.put<Put>("/bookings/:id", async (request, reply) => {
  const { phone, at, mayRemind } = request.body;
  const consent = { merchantId, channel: "SMS", contact: phone, status: "OPT_IN", source: "booking form" } as const;
  if (mayRemind) await client.consent.record(consent);
  bookings.set(request.params.id, { ...bookings.get(request.params.id), phone, at });
  // The link belongs on the page and in the email that confirm the booking.
  return reply.code(201).send({ leave: `/leave?phone=${encodeURIComponent(phone)}&signature=${signatureOf(phone)}` });
});

app.post<{ Body: { now: string } }>("/jobs/remind", ({ body }) => remindDue(new Date(body.now)));

const text = { type: "string" };
const leave = { querystring: { required: ["phone", "signature"], properties: { phone: text, signature: text } } };
type Leave = { Querystring: { phone: string; signature: string } };
app.get<Leave>("/leave", { schema: leave }, (_request, reply) =>
  // Mail scanners open links, so the page only shows a form. The form's button records the opt-out.
  reply.type("text/html").send('<form method="post"><button>Send me no more reminders</button></form>'),
);
app.post<Leave>("/leave", { schema: leave }, async ({ query: { phone, signature } }, reply) => {
  if (!isSignature(signature, phone)) return reply.code(403).send({ error: "not_your_link" });
  const answer = { merchantId, channel: "SMS", contact: phone, status: "OPT_OUT" } as const;
  await client.consent.record({ ...answer, source: "booking page" });
  return reply.type("text/html").send("You will get no more reminders.");
});

app.setErrorHandler((error, _request, reply) => {
  if (error instanceof ValidationError) return reply.code(422).send({ error: error.code, fields: error.errors });
  if (error instanceof IdempotencyError) return reply.code(409).send({ error: error.code });
  if (!(error instanceof MessagingError)) throw error;
  console.error(error.message, error instanceof ApiError ? error.requestId : "");
  return reply.code(502).send({ error: "try_again" });
});
console.log("listening on", await app.listen({ port: Number(process.env.PORT ?? 4902), host: "127.0.0.1" }));
