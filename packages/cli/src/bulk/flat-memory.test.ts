// Sends 5,000 rows, in 55 chunks, through the real reader, runtime and journal. A function stands in for the service.

import { join } from "node:path";
import { expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { createSendJob } from "../commands/send-bulk/send-job.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { folder } from "../testing/world.ts";
import { callRows } from "./call-rows.ts";
import { openJournal } from "./journal/journal.ts";
import { checkList } from "./list/checked-list.ts";

const ROWS = 5_000;
const CHUNK_BYTES = 16 * 1024;
const CONCURRENCY = 32;

it("a bulk run reads only a few chunks ahead, however long the file is", async () => {
  const rowText = (index: number) =>
    `m1,+1202555${String(index % 10_000).padStart(4, "0")},Message ${index}${"!".repeat(140)},OTP\n`;
  let readBytes = 0;
  async function* chunks() {
    readBytes = 0;
    let text = "merchantId,to,message,type\n";
    for (let index = 0; index <= ROWS; index += 1) {
      if (index < ROWS) text += rowText(index);
      if (text.length < CHUNK_BYTES && index < ROWS) continue;
      readBytes += text.length;
      yield Buffer.from(text);
      text = "";
    }
  }
  const record = await catalog.record("sendSms");
  const source = {
    name: "list.csv",
    listName: "list",
    isCutPipe: false,
    failedPath: () => "list.failed.csv",
    chunks,
    close: async () => {},
  };
  const job = createSendJob("SMS", record);
  const list = await checkList(source, job, { map: [], set: [] });
  const wholeBytes = readBytes;
  expect(wholeBytes).toBeGreaterThan(40 * CHUNK_BYTES);

  const { signal } = new AbortController();
  const journal = await openJournal(join(folder(), "list.jsonl"), { clock: createFakeClock(), signal });
  journal.begin({ beganAtMs: 0, account: "a", rowCount: ROWS, keyPrefix: "bulk-test" });
  let endedBytes = 0;
  let furthestAhead = 0;
  let underWay = 0;
  let mostUnderWay = 0;
  await callRows({
    ...{
      job,
      list,
      journal,
      isWanted: () => true,
      recipientOf: () => undefined,
      concurrency: CONCURRENCY,
    },
    ...{ timeoutMs: 60_000, retries: 0, signal },
    access: { baseUrl: "http://service.invalid", apiKey: "key", apiSecret: "secret" },
    transport: async () => {
      underWay += 1;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      await Promise.resolve();
      underWay -= 1;
      return Response.json({ messageId: "msg_1", status: "QUEUED" }, { status: 202 });
    },
    onOutcome: ({ index }) => {
      endedBytes += rowText(index).length;
      furthestAhead = Math.max(furthestAhead, readBytes - endedBytes);
    },
  });
  expect(journal.count(list.has)).toMatchObject({ done: ROWS, failed: 0 });
  expect(mostUnderWay).toBeLessThanOrEqual(CONCURRENCY);
  expect(furthestAhead).toBeLessThan(8 * CHUNK_BYTES);
  journal.close();
});
