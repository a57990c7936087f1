import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { IllegalTransitionError } from "../transitions.ts";
import { changeCall } from "./progress.ts";
import { type CallRow, type CallState, findCall } from "./rows.ts";

let service: InMemoryService;
let requestId: number;
beforeAll(async () => {
  service = await openInMemoryService();
  await service.start();
  const merchant = { merchantId: "shop", displayName: "Shop", voiceMinutesLimit: 5 };
  await service.call("POST", "/api/v1/merchants", { body: merchant });
  const body = { merchantId: "shop", messageText: "Hello", useCase: "OTP", toNumber: "+12025550100" };
  requestId = Number((await service.call("POST", "/api/v1/voice/tts-calls", { body })).json().requestId);
  await service.clock.advanceBy(60_000);
});
afterAll(() => service.close());

async function read(): Promise<CallRow> {
  const call = await service.store.read((tx) => findCall(tx, requestId));
  if (call === undefined) throw new Error("the call is gone");
  return call;
}

describe("a call that was heard", () => {
  it.each<Partial<CallState>>([
    { status: "QUEUED" },
    { callStatus: "BUSY" },
    { playbackStatus: "PARTIAL" },
    { finalStatus: "FAILED" },
    { billingState: "PROVISIONAL" },
    { cacheStatus: "HIT" },
  ])("cannot become %j", async (change) => {
    const before = await read();
    expect(before).toMatchObject({ status: "COMPLETED", finalStatus: "SUCCESS", billingState: "FINALIZED" });
    const moment = { now: service.clock.now() };
    const changed = service.store.write(async (tx) => changeCall({ tx, ...moment }, before, change));
    await expect(changed).rejects.toThrow(IllegalTransitionError);
    expect(await read()).toEqual(before);
  });
});
