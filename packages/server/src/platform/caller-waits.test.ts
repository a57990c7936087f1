import { expect, it } from "vitest";
import { CallerWaits } from "./caller-waits.ts";

it("counts of each connection the time from one reply to the next, and of its first one that of the reply", () => {
  const waits = new CallerWaits();
  const [one, other] = [{}, {}];
  waits.noteReply(one, 5, 1_000);
  waits.noteReply(other, 7, 1_001);
  expect(waits.read()).toEqual({ repliesMs: 12, cyclesMs: 12 });
  waits.noteReply(one, 5, 1_040);
  expect(waits.read()).toEqual({ repliesMs: 17, cyclesMs: 52 });
});

it("counts of a rest, and of a reply without an end, a tenth of a second", () => {
  const waits = new CallerWaits();
  const connection = {};
  waits.noteReply(connection, 30, 1_000);
  waits.noteReply(connection, 60_000, 73_000);
  expect(waits.read()).toEqual({ repliesMs: 130, cyclesMs: 130 });
});
