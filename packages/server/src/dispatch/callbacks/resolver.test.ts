import { createSocket, type Socket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useFakeTimers, useRealTimers } from "../../testing/fake-timers.ts";
import { createResolver } from "./post.ts";

const A = 1;
const AAAA = 28;

const toClose: Socket[] = [];
afterEach(() => {
  useRealTimers();
  vi.restoreAllMocks();
  for (const socket of toClose.splice(0)) socket.close();
});

/** Starts a name server that answers each query with the address from `addressOf`, or not at all if that is undefined. */
async function nameServer(addressOf: (type: number) => readonly number[] | undefined) {
  const socket = createSocket("udp4");
  toClose.push(socket);
  let asked = 0;
  socket.on("message", (question, { port, address }) => {
    asked += 1;
    const type = question.readUInt16BE(question.indexOf(0, 12) + 1);
    const bytes = addressOf(type);
    if (bytes !== undefined) socket.send(answer(question, type, bytes), port, address);
  });
  await new Promise<void>((bound) => socket.bind(0, "127.0.0.1", bound));
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, asked: () => asked };
}

/** Builds an answer with one record for the queried name (RFC 1035, 4.1). Without `bytes`, the answer has no record. */
function answer(question: Buffer, type: number, bytes: readonly number[]): Buffer {
  const asked = question.subarray(12, question.indexOf(0, 12) + 5);
  const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, bytes.length === 0 ? 0 : 1, 0, 0, 0, 0]);
  question.copy(header, 0, 0, 2);
  const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]);
  return Buffer.concat(bytes.length === 0 ? [header, asked] : [header, asked, record]);
}

function look(servers: readonly string[], longestMs: number): Promise<unknown> {
  return new Promise((done, fail) => {
    const resolve = createResolver({ servers, longestMs });
    resolve("hooks.receiver.com", { all: true }, (error, found) => (error ? fail(error) : done(found)));
  });
}

describe("a name", () => {
  it("resolves to the addresses of both families", async () => {
    const ipv6 = [...Array<number>(15).fill(0), 1];
    const server = await nameServer((type) => (type === A ? [8, 8, 8, 8] : ipv6));
    expect(await look([server.address], 60_000)).toEqual([
      { address: "8.8.8.8", family: 4 },
      { address: "::1", family: 6 },
    ]);
  });

  it("is given up if no answer arrives", async () => {
    const server = await nameServer(() => undefined);
    await expect(look([server.address], 50)).rejects.toMatchObject({ code: "ETIMEOUT" });
    await expect.poll(server.asked).toBeGreaterThan(0);
  });

  it.each([
    [A, [8, 8, 8, 8], { address: "8.8.8.8", family: 4 }],
    [AAAA, [...Array<number>(15).fill(0), 1], { address: "::1", family: 6 }],
  ])("resolves to the only family that is answered", async (known, bytes, found) => {
    useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = vi.spyOn(Resolver.prototype, known === A ? "resolve4" : "resolve6");
    const server = await nameServer((type) => (type === known ? bytes : undefined));
    const looked = look([server.address], 60_000);
    // advance the clock only after this family was answered
    await asked.mock.results[0]?.value;
    vi.advanceTimersByTime(60_000);
    expect(await looked).toEqual([found]);
  });

  it("fails with the name server's error if it has no address", async () => {
    const server = await nameServer(() => []);
    await expect(look([server.address], 60_000)).rejects.toMatchObject({ code: "ENODATA" });
  });
});
