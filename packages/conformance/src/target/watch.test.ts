import { expect, it } from "vitest";
import { Watch } from "./watch.ts";

const problem = { type: "about:blank", title: "Too many", status: 429, code: "rate_limited", detail: "Wait." };
const limited = { statusCode: 429, headers: { "retry-after": "1" }, body: JSON.stringify(problem) };
const done = { statusCode: 200, headers: { "content-type": "application/json" }, body: "[]" };

it("repeats a request after the pause that a rate limit asks for, and returns that reply", async () => {
  const askedAt: number[] = [];
  const watch = new Watch(async () => {
    askedAt.push(performance.now());
    return askedAt.length === 1 ? limited : done;
  }, "listMerchants");
  expect(await watch.send({ method: "GET", url: "/api/v1/merchants" })).toEqual(done);
  const [first = 0, second = 0] = askedAt;
  // timers may be a millisecond early
  expect([askedAt.length, second - first >= 999]).toEqual([2, true]);
});
