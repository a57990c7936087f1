import { beforeEach, expect, it } from "vitest";
import { SubmitRate } from "./session.ts";

let rate: SubmitRate;
let now: number;
beforeEach(() => {
  rate = new SubmitRate();
  now = 1_000_000;
});

function send(count: number): void {
  for (let sent = 0; sent < count; sent += 1) rate.noteSent(now);
}

/**
 * Sends as fast as allowed and counts everything as accepted. Stops early if the limit is lifted. Returns the number
 * sent in each second.
 */
function sendFor(seconds: number): number[] {
  const sent = new Array<number>(seconds).fill(0);
  const start = now;
  for (let waitMs = rate.waitMs(now); waitMs > 0; waitMs = rate.waitMs(now)) {
    if (now + waitMs >= start + seconds * 1_000) break;
    now += waitMs;
    rate.noteSent(now);
    rate.noteTaken();
    const second = Math.floor((now - start) / 1_000);
    sent[second] = (sent[second] ?? 0) + 1;
  }
  return sent;
}

it("the rate has no limit until the carrier throttles", () => {
  send(5_000);
  rate.noteTaken();
  expect(rate.waitMs(now)).toBe(0);
});

it("when the carrier throttles, the rate drops to half the number of submissions in the last second", () => {
  send(40);
  rate.noteThrottled({ sentAt: now, now: now + 1 });
  expect(rate.waitMs(now)).toBe(1_000 / 20);
});

it("if more submissions were sent in the second before the last, the rate drops to half of those", () => {
  send(40);
  now += 1_000;
  send(2);
  rate.noteThrottled({ sentAt: now, now });
  expect(rate.waitMs(now)).toBe(1_000 / 20);
});

it("the rate drops once for all throttled submissions in flight, and again for a later one", () => {
  send(40);
  for (let answers = 0; answers < 40; answers += 1) rate.noteThrottled({ sentAt: now, now: now + 5 });
  expect(rate.waitMs(now)).toBe(50);
  now += 50;
  rate.noteSent(now);
  rate.noteThrottled({ sentAt: now, now });
  expect(rate.waitMs(now)).toBe(100);
});

it("the rate never drops below one per second", () => {
  for (let times = 0; times < 20; times += 1) {
    now += 10;
    rate.noteSent(now);
    rate.noteThrottled({ sentAt: now, now });
  }
  expect(rate.waitMs(now)).toBe(1_000);
});

it("the rate rises by about one per second each second, until the limit is lifted", () => {
  send(20);
  rate.noteThrottled({ sentAt: now, now });
  const sent = sendFor(30);
  for (const [second, count] of sent.entries()) expect(Math.abs(count - (10 + second))).toBeLessThanOrEqual(1);
  sendFor(2_000);
  expect(rate.waitMs(now)).toBe(0);
});

it("the wait is not longer if the clock is set back by an hour", () => {
  send(20);
  now -= 3_600_000;
  expect(rate.waitMs(now)).toBe(0);
  now += 3_600_000;
  rate.noteThrottled({ sentAt: now, now });
  now -= 3_600_000;
  expect(rate.waitMs(now)).toBe(100);
});
