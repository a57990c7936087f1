import { describe, expect, it } from "vitest";
import { PLAIN } from "../../output/text/style.ts";
import { SIGNED_AT, unsignedDelivery } from "../../testing/callbacks.ts";
import type { Handled } from "./delivery.ts";
import { createEventRecord, type EventRecord } from "./event-record.ts";
import { createEventRows } from "./event-rows.ts";

describe("an event row", () => {
  const record = (type: string, data: unknown, more: { repeat?: boolean; handled?: Handled } = {}): EventRecord =>
    createEventRecord({
      ...{ atMs: SIGNED_AT, delivery: unsignedDelivery(""), event: { id: "evt_1", type, timestamp: null, data } },
      ...{ isVerified: true, isRepeat: more.repeat ?? false, answered: 200, handled: more.handled },
    });
  const rows = (width?: number, columns?: string[]) =>
    createEventRows({ columns, isForwarding: true, style: PLAIN, zone: () => 60, width });
  const failed = { status: null, durationMs: 9, error: "no response within 14 s" };

  it("is aligned with the headings, has local times, and shifts for longer values", () => {
    const row = rows();
    const call = { requestId: "48211", batchId: "9001", status: "COMPLETED", finalStatus: "BUSY" };
    expect(row(record("voice.tts_call.updated", call))).toBe(
      "time      type                       subject  status       verified  handler\n" +
        "16:04:05  voice.tts_call.updated     48211    COMPLETED    yes       -\n",
    );
    const ok = { status: 204, durationMs: 12, error: null };
    expect(row(record("voice.tts_call.finalized", call, { repeat: true, handled: ok }))).toBe(
      "16:04:05  voice.tts_call.finalized   48211    BUSY         yes again  204 12 ms\n",
    );
    expect(row(record("new.kind", null, { handled: failed }))).toBe(
      "16:04:05  new.kind                   -        -            yes        no response within 14 s\n",
    );
  });

  it("truncates its last column to the terminal's width", () => {
    const lines = rows(80)(record("x", {}, { handled: failed })).split("\n");
    expect(lines[1]).toMatch(/yes {7}no respons…$/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("has the requested columns", () => {
    const row = rows(undefined, ["id", "answered", "handler.error"]);
    expect(row(record("x", {}, { handled: failed }))).toBe(
      "id     answered  handler.error\nevt_1  200       no response within 14 s\n",
    );
  });
});
