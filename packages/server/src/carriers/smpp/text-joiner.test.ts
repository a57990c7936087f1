import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { type ReportedText, TextJoiner } from "./inbound.ts";

let clock: VirtualClock;
let reported: ReportedText[];
let record: (text: ReportedText) => Promise<void>;
let joiner: TextJoiner;
/** How each part was answered, by delivery id. */
let answers: Map<string, string>;

beforeEach(() => {
  clock = createVirtualClock(Date.parse("2026-03-01T12:00:00Z"));
  reported = [];
  answers = new Map();
  record = async (text) => {
    reported.push(text);
  };
  joiner = new TextJoiner(clock, (text) => record(text));
});

let deliveries = 0;
function deliver(number: number, total: number, text: string, { reference = 7, from = "+12025550100" } = {}): string {
  deliveries += 1;
  const deliveryId = `d-${deliveries}`;
  const part = total > 1 ? { part: { reference, total, number } } : {};
  joiner.take({ deliveryId, from, to: "12345", text, ...part }).then(
    () => answers.set(deliveryId, "recorded"),
    () => answers.set(deliveryId, "to be repeated"),
  );
  return deliveryId;
}

const texts = () => reported.map(({ text }) => text);

it("a text without parts is reported at once", async () => {
  const id = deliver(1, 1, "STOP");
  await clock.settle();
  expect(reported).toEqual([{ eventId: id, from: "+12025550100", to: "12345", text: "STOP" }]);
  expect(answers.get(id)).toBe("recorded");
});

describe("parts", () => {
  it("are joined in order, and acknowledged only when the text is recorded", async () => {
    let finish = () => {};
    record = (text) => {
      reported.push(text);
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    const ids = [deliver(3, 3, "c"), deliver(1, 3, "a"), deliver(2, 3, "b")];
    await clock.settle();
    expect(texts()).toEqual(["abc"]);
    expect(reported[0]?.eventId).toBe(ids[2]);
    expect(answers.size).toBe(0);
    finish();
    await clock.settle();
    expect(ids.map((id) => answers.get(id))).toEqual(["recorded", "recorded", "recorded"]);
  });

  it("are all delivered again if the text cannot be recorded", async () => {
    record = () => Promise.reject(new Error("the disk is full"));
    const ids = [deliver(1, 2, "a"), deliver(2, 2, "b")];
    await clock.settle();
    expect(ids.map((id) => answers.get(id))).toEqual(["to be repeated", "to be repeated"]);
  });

  it("of different texts are kept apart by reference and sender", async () => {
    deliver(1, 2, "a", { reference: 1 });
    deliver(2, 2, "x", { reference: 2 });
    deliver(2, 2, "q", { reference: 1, from: "+447700900123" });
    deliver(2, 2, "b", { reference: 1 });
    await clock.settle();
    expect(texts()).toEqual(["ab"]);
  });

  it("count once if they arrive twice", async () => {
    const ids = [deliver(1, 2, "a"), deliver(1, 2, "a"), deliver(2, 2, "b")];
    await clock.settle();
    expect(texts()).toEqual(["ab"]);
    expect(ids.map((id) => answers.get(id))).toEqual(["recorded", "recorded", "recorded"]);
  });

  it("are reported as separate texts if other parts do not arrive", async () => {
    const ids = [deliver(3, 3, "c"), deliver(1, 3, "a")];
    await clock.advanceBy(7_999);
    expect(reported).toEqual([]);
    await clock.advanceBy(1);
    expect(texts()).toEqual(["a", "c"]);
    expect(ids.map((id) => answers.get(id))).toEqual(["recorded", "recorded"]);
    deliver(2, 3, "b");
    await clock.advanceBy(8_000);
    expect(texts()).toEqual(["a", "c", "b"]);
  });

  it("wait for the full time again after each further part", async () => {
    deliver(1, 3, "a");
    await clock.advanceBy(7_000);
    deliver(2, 3, "b");
    await clock.advanceBy(7_000);
    deliver(3, 3, "c");
    await clock.settle();
    expect(texts()).toEqual(["abc"]);
  });

  it("of the oldest text are reported as separate texts if too many texts are incomplete", async () => {
    for (let reference = 0; reference < 65; reference += 1) deliver(1, 2, `text ${reference}`, { reference });
    await clock.settle();
    expect(texts()).toEqual(["text 0"]);
  });

  it("are delivered again after a stop", async () => {
    const id = deliver(1, 2, "a");
    joiner.stop();
    await clock.advanceBy(10_000);
    expect(reported).toEqual([]);
    expect(answers.get(id)).toBe("to be repeated");
  });

  it("restore a split surrogate pair", async () => {
    deliver(1, 2, "\ud83d");
    deliver(2, 2, "\ude00");
    await clock.settle();
    expect(texts()).toEqual(["😀"]);
  });
});
