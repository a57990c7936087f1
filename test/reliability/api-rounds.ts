// Kills a server that submits texts to carriers over HTTP. Some answers are lost. Each text is reported as delivered, before
// or after its answer, until the server has recorded it.

import { setTimeout as sleep } from "node:timers/promises";
import { AdapterDouble } from "../../packages/server/src/testing/adapter-double.ts";
import { TwilioDouble } from "../../packages/server/src/testing/twilio-double.ts";
import { between } from "./between.ts";
import { countEach } from "./carried.ts";
import { type CarrierResult, type CountingCarrier, runKillRounds } from "./carrier-rounds.ts";
import { texts } from "./text-rounds.ts";

/** The URL at which a provider reaches the server, through a proxy. */
const PUBLIC_URL = "https://msg.acme.example";
const LOOK_MS = 10;
const LONGEST_PAUSE_MS = 1_000;
const LOST_SHARE = 0.05;

const shares = () => (Math.random() < LOST_SHARE ? "lose-answer" : "accept");

export interface ApiResult extends CarrierResult {
  /** Whatever the protocol does not allow in the requests of the server. */
  readonly faults: readonly string[];
}

export async function runAdapterRounds(rounds: number): Promise<ApiResult> {
  const adapter = await AdapterDouble.listen();
  adapter.treat = shares;
  const open = (baseUrl: string) =>
    carry(baseUrl, {
      settings: adapter.settings({ merchantNumbers: false }),
      listTaken: () =>
        adapter.taken.map((taken) => ({ to: taken.message.to, report: () => adapter.report(taken, "DELIVERED") })),
      close: () => adapter.close(),
    });
  return { ...(await runKillRounds(rounds, texts, (_folder, baseUrl) => open(baseUrl))), faults: adapter.faults };
}

export async function runTwilioRounds(rounds: number): Promise<ApiResult> {
  const twilio = await TwilioDouble.listen();
  twilio.treat = shares;
  const open = (baseUrl: string) =>
    carry(baseUrl, {
      settings: twilio.settings(),
      listTaken: () => twilio.taken.map((text) => ({ to: text.to, report: () => twilio.report(text, "delivered") })),
      close: () => twilio.close(),
    });
  return { ...(await runKillRounds(rounds, texts, (_folder, baseUrl) => open(baseUrl))), faults: [] };
}

interface Posted {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface ApiDouble {
  readonly settings: object;
  /** Lists the texts that it took, in order, with the request that reports each as delivered. */
  listTaken(): { readonly to: string; readonly report: () => Posted }[];
  close(): Promise<void>;
}

/** Reports each text that a double takes, from a moment after it was taken until the server has recorded it. */
async function carry(baseUrl: string, { settings, listTaken, close }: ApiDouble): Promise<CountingCarrier> {
  let seen = 0;
  let isClosed = false;
  const look = setInterval(() => {
    const taken = listTaken();
    for (const { report } of taken.slice(seen)) void deliver(report);
    seen = taken.length;
  }, LOOK_MS);

  async function deliver(report: () => Posted): Promise<void> {
    while (!isClosed) {
      await sleep(between(0, LONGEST_PAUSE_MS));
      const { url, headers, body } = report();
      const posted = fetch(url.replace(PUBLIC_URL, baseUrl), { method: "POST", headers, body });
      if ((await posted.catch(() => undefined))?.status === 204) return;
    }
  }

  return {
    ...{ channel: "SMS", settings, tellsEnds: true, flags: ["--public-url", PUBLIC_URL] },
    countTaken: () => countEach(listTaken().map(({ to }) => to)),
    async close() {
      isClosed = true;
      clearInterval(look);
      await close();
    },
  };
}
