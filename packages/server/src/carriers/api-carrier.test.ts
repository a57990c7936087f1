import { describe, expect, it } from "vitest";
import { createVirtualClock } from "../development/clocks.ts";
import { ApiTraffic } from "./api-carrier.ts";
import type { SubmitOutcome } from "./provider.ts";

describe("a stop", () => {
  it("waits for the submissions in progress, and puts off those that begin later", async () => {
    const traffic = new ApiTraffic(createVirtualClock(0));
    traffic.start(async () => {});
    const order: string[] = [];
    let answer: (outcome: SubmitOutcome) => void = () => {};
    const first = traffic.submit(() => new Promise<SubmitOutcome>((resolve) => (answer = resolve)));
    const stopped = traffic.stop().then(() => order.push("stopped"));
    const later = await traffic.submit(() => Promise.reject(new Error("this must not begin")));
    expect(later).toMatchObject({ outcome: "deferred", detail: "the carrier is not running" });
    order.push("answered");
    answer({ outcome: "taken", providerMessageId: "1" });
    expect(await first).toMatchObject({ outcome: "taken" });
    await stopped;
    expect(order).toEqual(["answered", "stopped"]);
  });
});
