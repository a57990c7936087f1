import { describe, expect, it } from "vitest";
import type { Database } from "../world/database.ts";
import type { Surroundings } from "../world/instance.ts";
import type { Posted } from "../world/receiver.ts";
import {
  checkBatchesTold,
  checkEndsTold,
  checkMessageOrder,
  checkMessagesTold,
  checkOrder,
  checkToldOnce,
} from "./callback-checks.ts";
import { Violation } from "./violation.ts";

const url = "https://one.example/hook";
const call = (type: string, status: string): Posted => ({
  url,
  type: `voice.tts_call.${type}`,
  data: { requestId: "7", status, finalStatus: "SUCCESS", deliveryReason: null },
});
const [dialling, ended] = [call("updated", "DIALING"), call("finalized", "COMPLETED")];

const databaseOf = (row: object) => ({ all: async () => [row] }) as unknown as Database;

/** A receiver to which these callbacks were posted, in this order. */
function tell(posted: readonly Posted[], { isDown = false } = {}): Surroundings {
  const byId = new Map(posted.map((one, index) => [`evt_${index}`, one]));
  const receivers = { posted: byId, begun: byId, gone: new Set(), isDown: () => isDown };
  return { receivers } as unknown as Surroundings;
}

it("checkToldOnce reports a change that was posted twice", () => {
  expect(() => checkToldOnce(tell([dialling, ended]))).not.toThrow();
  expect(() => checkToldOnce(tell([dialling, dialling]))).toThrow(Violation);
});

it("checkOrder reports a change that was posted after the end", () => {
  expect(() => checkOrder(tell([dialling, ended]))).not.toThrow();
  expect(() => checkOrder(tell([ended, dialling]))).toThrow(Violation);
});

describe("events of messages", () => {
  const update = (status: string, sequence: number): Posted => ({
    url,
    type: "message.updated",
    data: { messageId: "msg_1", status, deliveryReason: null, sequence },
  });
  const [sent, delivered] = [update("SENT", 1), update("DELIVERED", 3)];
  const row = { id: "msg_1", url, status: "DELIVERED", deliveryReason: null };

  it("checkMessageOrder reports a change that was posted after a later one", () => {
    expect(() => checkMessageOrder(tell([sent, delivered]))).not.toThrow();
    expect(() => checkMessageOrder(tell([delivered, sent]))).toThrow(Violation);
  });

  it("checkMessagesTold reports a state that was not posted", async () => {
    await checkMessagesTold(databaseOf(row), tell([delivered, sent]));
    await checkMessagesTold(databaseOf(row), tell([], { isDown: true }));
    await checkMessagesTold(databaseOf(row), tell([sent], { isDown: true }));
    await expect(checkMessagesTold(databaseOf(row), tell([sent]))).rejects.toThrow(Violation);
    await expect(checkMessagesTold(databaseOf(row), tell([]))).rejects.toThrow(Violation);
  });
});

describe("checkEndsTold", () => {
  const row = { id: 7, url, status: "COMPLETED", finalStatus: "SUCCESS", deliveryReason: null };

  it("accepts an end that was posted", () => checkEndsTold(databaseOf(row), tell([dialling, ended])));
  it("accepts an end whose receiver is down", () => checkEndsTold(databaseOf(row), tell([dialling], { isDown: true })));
  it("reports an end that was not posted", () =>
    expect(checkEndsTold(databaseOf(row), tell([dialling]))).rejects.toThrow(Violation));
  it.each([{ status: "FAILED" }, { deliveryReason: "BUSY" }, { url: "https://two.example/hook" }])(
    "reports a call with %o whose end was posted differently",
    (wrong) => expect(checkEndsTold(databaseOf({ ...row, ...wrong }), tell([ended]))).rejects.toThrow(Violation),
  );
});

describe("checkBatchesTold", () => {
  const row = { id: 3, url, success: 1, failed: 0, partial: 0 };
  const batch = { url, type: "voice.tts_batch.finalized", data: { batchId: "3", success: 1, failed: 0, partial: 0 } };

  it("accepts an end that was posted", () => checkBatchesTold(databaseOf(row), tell([batch])));
  it.each([{ id: 4 }, { failed: 1 }])("reports a batch with %o whose end was posted differently", (wrong) =>
    expect(checkBatchesTold(databaseOf({ ...row, ...wrong }), tell([batch]))).rejects.toThrow(Violation),
  );
});
