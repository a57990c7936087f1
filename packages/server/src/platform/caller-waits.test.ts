import { expect, it } from "vitest";
import { CallerWaits } from "./caller-waits.ts";

it("counts of a rest, and of a reply without an end, a tenth of a second", () => {
  const waits = new CallerWaits();
  waits.noteReply(30);
  waits.noteReply(60_000);
  waits.noteCycle(40);
  waits.noteCycle(72_000);
  expect(waits.read()).toEqual({ repliesMs: 130, cyclesMs: 140 });
});
