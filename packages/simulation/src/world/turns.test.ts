import { expect, it, onTestFinished } from "vitest";
import { Turns } from "./turns.ts";

it("comes after all promises that can go on by themselves, however many turns there were", async () => {
  const turns = new Turns();
  for (let turn = 0; turn < 200; turn += 1) {
    let ended = 0;
    const goOn = async () => {
      for (let tick = 0; tick < 50; tick += 1) await undefined;
      ended += 1;
    };
    void goOn();
    await turns.next();
    expect(ended).toBe(1);
  }
});

it("comes after rejections were told of that nobody waited for", async () => {
  const turns = new Turns();
  const told: unknown[] = [];
  const listeners = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", (reason) => told.push(reason));
  onTestFinished(() => {
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) process.on("unhandledRejection", listener);
  });
  for (let turn = 0; turn < 200; turn += 1) {
    void Promise.reject(turn);
    await turns.next();
    expect(told).toHaveLength(turn + 1);
  }
});
