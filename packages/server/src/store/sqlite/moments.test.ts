import { describe, expect, it } from "vitest";
import { StoreUnavailable } from "../store.ts";
import { Moments } from "./readers.ts";

const patient = { finishMs: 3_600_000, waitMs: 3_600_000 };

describe("snapshots of the database", () => {
  it("are opened without waiting, and released once", async () => {
    const moments = new Moments(patient);
    const [one, two] = [await moments.take(), await moments.take()];
    one();
    one();
    expect(moments.areOpen).toBe(true);
    two();
    expect(moments.areOpen).toBe(false);
    await moments.shut();
  });

  it("wait after shut(), which resolves when the open snapshots have ended", async () => {
    const moments = new Moments(patient);
    const order: string[] = [];
    const letGo = await moments.take();
    const shut = moments.shut().then(() => order.push("none is open"));
    const next = moments.take().then(() => order.push("taken"));
    letGo();
    await shut;
    moments.reopen();
    await next;
    expect(order).toEqual(["none is open", "taken"]);
  });

  it("no longer delay shut() if they take too long, and are refused after too long a wait", async () => {
    const moments = new Moments({ finishMs: 1, waitMs: 1 });
    await moments.take();
    await moments.shut();
    expect(moments.areOpen).toBe(true);
    await expect(moments.take()).rejects.toThrow(StoreUnavailable);
  });
});
