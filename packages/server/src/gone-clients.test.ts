// A client may disconnect at any time during its request. If the request has not begun to write, it never does. Otherwise
// it is completed, and a repeat with the same Idempotency-Key returns its result.

import { once } from "node:events";
import { request as connect } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type InProcessService, openInProcessService } from "./in-process.ts";

let service: InProcessService;
let port: number;
beforeAll(async () => {
  service = await openInProcessService({ isDevelopment: true, consentPolicy: "opt_out_only" });
  await service.app.listen({ host: "127.0.0.1", port: 0 });
  port = (service.app.server.address() as AddressInfo).port;
});
afterAll(() => service.close());
beforeEach(beginAnew);

const gone = new Error("gone");
const json = { "content-type": "application/json" };
const control = (what: string, body = "{}") =>
  service.exchange({ method: "POST", url: `/control/${what}`, headers: json, body });

async function beginAnew(): Promise<void> {
  expect((await control("reset")).status).toBe(204);
  const shop = { merchantId: "shop", displayName: "Shop", active: true, voiceMinutesLimit: 10_000 };
  expect((await control("seed", JSON.stringify({ merchants: [shop] }))).status).toBe(204);
}

function batchOf(count: number, key: string) {
  const { apiKey, apiSecret } = service.credential;
  const toNumbers = Array.from({ length: count }, (_, index) => `+1202${2_000_000 + index}`);
  return {
    method: "POST",
    url: "/api/v1/voice/tts-calls",
    headers: { ...json, "x-api-key": apiKey, "x-api-secret": apiSecret, "idempotency-key": key },
    body: JSON.stringify({ merchantId: "shop", useCase: "OTP", messageText: "Your code is 1234", toNumbers }),
  };
}

async function findBatches(): Promise<{ size: number; isAccepted: number }[]> {
  const sql = `SELECT total_calls AS "size", is_accepted AS "isAccepted" FROM tts_batches ORDER BY batch_id`;
  return service.store.read((tx) => tx.all(sql));
}

/** Returns the result of a request whose client disconnects after this many turns of the event loop. */
async function goAfter(turns: number, count: number): Promise<"answered" | Error> {
  const abort = new AbortController();
  let end: "answered" | Error | undefined;
  const asked = service.exchange({ ...batchOf(count, "first"), signal: abort.signal }).then(
    () => {
      end = "answered";
    },
    (error) => {
      end = error;
    },
  );
  for (let turn = 0; turn < turns && end === undefined; turn += 1) await nextTurn();
  abort.abort(gone);
  await asked;
  return end ?? "answered";
}

/** More numbers than are accepted in one transaction, in a body that is validated in parts. */
const LARGE = 1_400;
/** Makes another large request. Once it is answered, any work that `goAfter` left behind has ended, too: it began earlier. */
const askAnother = async () => expect((await service.exchange(batchOf(LARGE, "other"))).status).toBe(200);

describe("a client that disconnects", () => {
  it("causes no work while its large batch is being validated", async () => {
    for (const turns of [0, 1, 2]) {
      await beginAnew();
      expect(await goAfter(turns, LARGE)).toBe(gone);
      await askAnother();
      expect(await findBatches()).toHaveLength(1);
    }
  });

  it("at any time during the acceptance leaves no work running after a reset", async () => {
    let [turns, end]: [number, "answered" | Error] = [0, gone];
    for (; end !== "answered"; turns += 1) {
      end = await goAfter(turns, LARGE);
      await beginAnew();
      await askAnother();
      expect(await findBatches()).toEqual([{ size: LARGE, isAccepted: 1 }]);
    }
    // there were several turns at which to disconnect
    expect(turns).toBeGreaterThan(5);
  });
});

it.each([150, LARGE])(
  "a client that repeats a batch of %i with its key gets the effect once, whenever its connection was lost",
  async (count) => {
    let [turns, isAnswered] = [0, false];
    for (; !isAnswered; turns += 1) {
      await beginAnew();
      const { body, url, ...request } = batchOf(count, "key");
      const received = once(service.app.server, "request");
      const asked = connect({ port, path: url, ...request });
      asked
        .on("error", () => {})
        .on("response", () => {
          isAnswered = true;
        });
      asked.end(body);
      await received;
      for (let turn = 0; turn < turns && !isAnswered; turn += 1) await nextTurn();
      asked.destroy();
      // the status is 409 while the request continues without its client
      await expect.poll(async () => (await service.exchange(batchOf(count, "key"))).status).toBe(200);
      expect(await findBatches()).toEqual([{ size: count, isAccepted: 1 }]);
    }
    expect(turns).toBeGreaterThan(1);
  },
);
