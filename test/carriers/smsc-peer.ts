// Sends texts of one and several parts to a third-party SMSC. The server is killed during the submissions.

import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import type { Findings, Peer } from "./check.ts";
import { LiveServer, waitUntil } from "./live-server.ts";
import { findNetSmpp, Smsc, smscSettings } from "./smsc.ts";

const TEXTS = 200;
/** Longer than the three days in which a receipt is awaited. */
const HOURS_LATER = 100;

export const smscPeer: Peer = { name: "SMPP", hint: "Debian: libnet-smpp-perl", find: findNetSmpp, check };

const number = (index: number) => `+1202${5_550_100 + index}`;

/** Texts of different alphabets and lengths: two of three parts, and two of one. */
const contents = [
  (index: number) => `Your code is ${index}.`,
  (index: number) => `${index}: Grüße für 5 €. `.repeat(22),
  (index: number) => `${index}: «Привет» 👋`,
  (index: number) => `${index}: Привет, ваш заказ уже в пути 📦. `.repeat(5),
];
const content = (index: number) => contents[index % contents.length]?.(index) ?? "";

const message = (index: number) => ({ merchantId: "shop", to: number(index), message: content(index), type: "OTP" });

async function check(): Promise<Findings> {
  const port = await findFreePort();
  const live = new LiveServer("SMS", smscSettings(port));
  let smsc: Smsc | undefined;
  try {
    await live.start();
    await live.addMerchant();
    for (let index = 0; index < TEXTS; index++) await live.call("POST", "messages/sms", message(index));
    // the SMSC starts now: all submissions have waited for it
    smsc = new Smsc(port);
    await sendWithKill(live, smsc);
    const faults = [...(await compare(live, smsc)), ...(await checkStop(live, smsc))];
    await live.end("SIGTERM");
    await live.start(HOURS_LATER);
    const counts = await live.waitFor(({ SENDING = 0, SENT = 0 }) => SENDING + SENT === 0);
    const { DELIVERED = 0, UNKNOWN = 0, ...others } = counts;
    for (const [status, count] of Object.entries(others)) faults.push(`${count} are ${status}`);
    return { faults, note: `${DELIVERED} delivered, ${UNKNOWN} unknown after a kill, ${smsc.taken.length} parts` };
  } finally {
    await live.folder.remove();
    await smsc?.stop();
  }
}

async function sendWithKill(live: LiveServer, smsc: Smsc): Promise<void> {
  await waitUntil(() => smsc.taken.length >= TEXTS / 2);
  await live.end("SIGKILL");
  await live.start();
  await live.waitForSent();
  await live.waitFor(({ SENT = 0 }) => SENT === 0);
}

/** Checks that each text arrived once and unchanged, unless its outcome is unknown. */
async function compare(live: LiveServer, smsc: Smsc): Promise<string[]> {
  const statuses = await live.readStatuses();
  const delivered = [...statuses].filter(([, status]) => status === "DELIVERED");
  // the SMSC's output may not have been read yet
  await waitUntil(() => delivered.every(([to]) => smsc.textsTo(to).length > 0));
  const faults: string[] = [];
  const parts = smsc.taken.map(({ to, part }) => `${to} ${part}`);
  for (const part of parts.filter((one, index) => parts.indexOf(one) !== index)) faults.push(`${part} was taken again`);
  for (let index = 0; index < TEXTS; index++) {
    const to = number(index);
    const [status, texts] = [statuses.get(to), smsc.textsTo(to)];
    const isRight = texts.length === 1 ? texts[0] === content(index) : texts.length === 0 && status === "SENDING";
    if (!isRight || (status !== "DELIVERED" && status !== "SENDING"))
      faults.push(`${to} is ${status}, and had ${JSON.stringify(texts)} of ${JSON.stringify(content(index))}`);
  }
  return faults;
}

/** Checks that a phone can opt out, and gets a confirmation. */
async function checkStop(live: LiveServer, smsc: Smsc): Promise<string[]> {
  const phone = number(0);
  const before = smsc.textsTo(phone).length;
  smsc.say(phone, "+12025550199", "STOP");
  await waitUntil(() => smsc.textsTo(phone).length > before);
  const refusal = await live.call("POST", "messages/sms", message(0)).then(String, String);
  return [
    ...(smsc.textsTo(phone).length === before + 1 ? [] : ["STOP was not confirmed"]),
    ...(refusal.includes("consent_opted_out") ? [] : [`STOP was not obeyed: ${refusal}`]),
  ];
}
