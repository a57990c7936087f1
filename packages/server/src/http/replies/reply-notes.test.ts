import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from "fastify";
import { expect, it, vi } from "vitest";
import { CallerWaits } from "../../platform/caller-waits.ts";
import { openInMemoryService } from "../../testing/in-memory-service.ts";
import { createReplyNote } from "./reply-notes.ts";

it("counts a reply and its caller's wait, even if nothing is logged", () => {
  const waits = new CallerWaits();
  const [count, done] = [vi.fn(), vi.fn()];
  const note = createReplyNote({ log: {} as FastifyBaseLogger }, "sendSms", count, waits);
  const reply = { statusCode: 202, elapsedTime: 4 } as FastifyReply;
  note({ raw: { socket: {} } } as FastifyRequest, reply, done);
  expect(count.mock.calls).toEqual([[202, 4]]);
  expect(waits.read()).toEqual({ repliesMs: 4, cyclesMs: 4 });
  expect(done).toHaveBeenCalledOnce();
});

it.each([
  [undefined, ["203.0.113.9", "2001:db8:1:2::3"]],
  ["masked", ["203.0.113.0/24", "2001:db8:1::/48"]],
  ["none", [undefined, undefined]],
] as const)("logs the client's address in the form %s", async (logAddresses, shown) => {
  const logged: string[] = [];
  const service = await openInMemoryService({
    ...{ logAddresses, trustedProxies: ["10.0.0.0/8"] },
    log: (line) => logged.push(line),
  });
  const headers = { "x-forwarded-for": "1.1.1.1, 2001:db8:1:2::3" };
  await service.app.inject({ url: "/api/v1/merchants", remoteAddress: "203.0.113.9", headers });
  await service.app.inject({ url: "/api/v1/nothing", remoteAddress: "10.0.0.1", headers });
  const answered = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "answered");
  expect(answered.map(({ address }) => address)).toEqual(shown);
  await service.close();
});
