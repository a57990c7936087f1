// A tenant as large as real ones: fifty merchants with names in several scripts, and three weeks of messages, calls,
// replies, failures and registrations. Pictures are taken of it, and questions about it are answered in the browser.

import { createPost, type Post } from "../e2e/create-post.ts";
import type { Credential } from "../e2e/msgd-process.ts";

/** Merchants that pictures and questions name. */
export const namedMerchants = {
  bella: "Bella Trattoria",
  "harbor-pizza": "Harbor Pizza",
  "maple-leaf": "Maple Leaf Bakery",
  "northside-vet": "Northside Veterinary",
  "sunrise-yoga": "Sunrise Yoga",
  "bright-dental": "Bright Dental",
  alwaha: "عيادة الواحة لطب الأسنان",
  "beit-lechem": "מאפיית בית לחם",
  "sakura-ramen": "さくらラーメン 渋谷店",
  "long-name": `The Very Long Established ${"Family Dining and Catering ".repeat(6)}Company`.slice(0, 200),
} as const;

const SENDS_AT_ONCE = 16;

export interface PopulatedOptions {
  readonly baseUrl: string;
  readonly credential: Credential;
  /** Number of messages. @default 20 000 */
  readonly messages?: number;
}

/** Fills the tenant of a development server. Moves the server's clock by three weeks. */
export async function populate({ baseUrl, credential, messages = 20_000 }: PopulatedOptions): Promise<void> {
  const post = createPost(baseUrl, credential);
  const merchants = listMerchants();
  for (const merchant of merchants) await call(post, "/api/v1/merchants", merchant);
  await register(post);
  await recordConsents(post);
  const days = 21;
  for (let day = 0; day < days; day += 1) {
    const ofDay = Math.round(messages / days);
    // the last days in full hours, because charts show them by hour
    const steps = day < days - 2 ? 3 : 24;
    for (let step = 0; step < steps; step += 1) {
      const share = (1 + 0.8 * Math.sin((2 * Math.PI * (step - steps / 4)) / steps)) / steps;
      await sendAll(post, merchants, Math.round(ofDay * share), day * 24 + step);
      await advance(baseUrl, `${24 / steps}h`);
    }
  }
  await sendAll(post, merchants, Math.round(messages / 400), 30 * days);
  await beginBatches(post);
  await advance(baseUrl, "20s");
  await sendAll(post, merchants, 20, 31 * days);
  await advance(baseUrl, "1s");
}

function listMerchants() {
  const named = Object.entries(namedMerchants).map(([merchantId, displayName]) => ({ merchantId, displayName }));
  const streets = ["Cedar", "Elm", "Willow", "Juniper", "Market", "Mill", "Station", "Garden"];
  const trades = ["Barbers", "Books", "Florist", "Opticians", "Pharmacy"];
  const others = streets.flatMap((street) =>
    trades.map((trade) => ({
      merchantId: `${street}-${trade}`.toLowerCase(),
      displayName: `${street} Street ${trade}`,
    })),
  );
  return [...named, ...others].map((merchant, index) => ({
    ...merchant,
    smsLimit: [500, 800, 2_000, 5_000][index % 4],
    voiceMinutesLimit: 120 + 60 * (index % 5),
    emailLimit: 1_000 + 500 * (index % 3),
  }));
}

const texts = [
  "Your order #48213 is ready at the counter.",
  "Your code is 402913. It is valid for 10 minutes.",
  "Tomorrow at 19:30 your table for two is laid.",
  "Payment of $85.00 received. Thank you.",
  "موعدك غداً الساعة ٩:٣٠ صباحاً.",
  "ההזמנה שלך מוכנה.",
  "ご予約は明日19:30です。",
  "We moved your appointment to Friday, 14:15. Reply HELP if that does not suit you, or call the practice.",
];
const mails = [
  ["Your receipt", "<h1 style='color:#246'>Thank you</h1><p>You paid <b>$18.40</b>.</p>"],
  ["Your invoice for November", "<p>The invoice is attached to your account. Amount due: <b>$240.00</b></p>"],
  ["تذكير بالموعد", "<p dir='rtl'>موعدك غداً الساعة <b>٩:٣٠</b> صباحاً.</p>"],
] as const;
const areas = ["202", "212", "415", "312", "702"];
/** The last two digits decide the outcome: most messages arrive. */
const endings = ["00", "00", "00", "00", "00", "00", "00", "00", "01", "10", "12", "13", "14", "50", "53", "02"];
const types = ["TRANSACTIONAL", "OTP", "REMINDER", "TRANSACTIONAL"] as const;

async function sendAll(post: Post, merchants: readonly { merchantId: string }[], count: number, round: number) {
  let next = 0;
  const sendNext = async () => {
    while (next < count) {
      const index = next++;
      // some merchants send much more than others
      const merchantId =
        merchants[Math.floor(merchants.length * ((index * 0.618 + round * 0.37) % 1) ** 2)]?.merchantId;
      const kind = index % 10;
      if (kind < 7) await post("/api/v1/messages/sms", makeText(merchantId, index, round));
      else if (kind < 9) await post("/api/v1/messages/email", makeMail(merchantId, index, round));
      else await post("/api/v1/messages/voice", makeCall(merchantId, index, round));
    }
  };
  await Promise.all(Array.from({ length: SENDS_AT_ONCE }, sendNext));
}

function makeText(merchantId: string | undefined, index: number, round: number) {
  const ending = endings[(index * 7 + round) % endings.length];
  const to = `+1${areas[(index + round) % areas.length]}55501${ending}`;
  const type = types[(index + round) % types.length];
  return { merchantId, type, to, message: texts[(index + round) % texts.length] };
}

function makeMail(merchantId: string | undefined, index: number, round: number) {
  const [subject, body] = mails[(index + round) % mails.length] ?? mails[0];
  const outcome = (index + round) % 20 === 7 ? "bounced" : "delivered";
  const to = `${outcome}+${["dana", "yusuf", "mei", "noa"][index % 4]}@simulator.example`;
  return { merchantId, type: "TRANSACTIONAL", to, subject, body };
}

function makeCall(merchantId: string | undefined, index: number, round: number) {
  const ending = ["00", "00", "30", "31", "32"][(index + round) % 5];
  const to = `+1${areas[index % areas.length]}55501${ending}`;
  return { merchantId, type: "TRANSACTIONAL", to, text: "Hello. Your order is ready at the counter." };
}

async function recordConsents(post: Post): Promise<void> {
  for (const [merchantId, contact, channel, status] of [
    ["bella", "+12025550100", "SMS", "OPT_IN"],
    ["bella", "+12125550100", "VOICE", "OPT_OUT"],
    ["maple-leaf", "delivered+dana@simulator.example", "EMAIL", "OPT_IN"],
  ]) {
    await call(post, "/api/v1/consents", { merchantId, contact, channel, status, source: "signup form" });
  }
}

/** A brand that is approved, and a campaign that was refused. */
async function register(post: Post): Promise<void> {
  const path = "/api/v1/merchants/bella/messaging";
  await call(post, `${path}/brand`, {
    legalBusinessName: "Bella Trattoria LLC",
    externalBrandRef: "bella-brand-1",
    businessType: "PRIVATE_PROFIT",
    websiteUrl: "https://bella.example",
    street: "1200 K Street NW",
    city: "Washington",
    state: "DC",
    postalCode: "20005",
    country: "US",
    contactFirstName: "Dana",
    contactLastName: "Reyes",
    contactEmail: "dana@bella.example",
    contactPhone: "+12025550142",
  });
}

async function beginBatches(post: Post): Promise<void> {
  for (const [merchantId, count] of [
    ["bella", 40],
    ["bright-dental", 12],
  ] as const) {
    const toNumbers = Array.from(
      { length: count },
      (_none, index) => `+1${areas[index % 4]}55501${String(index).padStart(2, "0")}`,
    );
    const messageText = "Hello from your table for two: it is laid at 19:30. Press nothing; see you tonight.";
    await call(post, "/api/v1/voice/tts-calls", { merchantId, useCase: "REMINDER", messageText, toNumbers });
  }
}

async function call(post: Post, path: string, body: object): Promise<void> {
  const reply = await post(path, body);
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
}

async function advance(baseUrl: string, by: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const reply = await fetch(`${baseUrl}/control/clock`, {
    method: "POST",
    headers,
    body: JSON.stringify({ advance: by }),
  });
  if (!reply.ok) throw new Error(await reply.text());
}
