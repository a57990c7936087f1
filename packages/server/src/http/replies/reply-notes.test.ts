import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { expect, it, vi } from "vitest";
import { CallerWaits } from "../../platform/caller-waits.ts";
import { createReplyNote } from "./reply-notes.ts";

it("counts a reply, and what its caller waited, without a log that is asked for", () => {
  const waits = new CallerWaits();
  const [count, done] = [vi.fn(), vi.fn()];
  const note = createReplyNote({ log: {} as FastifyBaseLogger }, "sendSms", count, waits);
  const reply = { statusCode: 202, elapsedTime: 4 } as FastifyReply;
  note({ raw: { socket: {} } } as FastifyRequest, reply, done);
  expect(count.mock.calls).toEqual([[202, 4]]);
  expect(waits.read()).toEqual({ repliesMs: 4, cyclesMs: 4 });
  expect(done).toHaveBeenCalledOnce();
});
