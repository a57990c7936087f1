import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addSpeechRoute } from "./speech.ts";

let app: FastifyInstance;
let folder: string;
beforeEach(async () => {
  app = fastify();
  folder = await mkdtemp(join(tmpdir(), "msgd-speech-"));
  await writeFile(join(folder, "a.wav"), "RIFF-audio");
  addSpeechRoute(app, { findFile: async (token) => (token === "known" ? join(folder, "a.wav") : undefined) });
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

it("serves the file of a token, to be kept for a day", async () => {
  const reply = await app.inject("/speech/known");
  expect([reply.statusCode, reply.body]).toEqual([200, "RIFF-audio"]);
  expect(reply.headers).toMatchObject({
    "content-type": "audio/wav",
    "content-length": "10",
    "cache-control": "private, max-age=86400",
  });
  const head = await app.inject({ method: "HEAD", url: "/speech/known" });
  expect([head.statusCode, head.headers["content-length"], head.body]).toEqual([200, "10", ""]);
});

it("has nothing at other tokens", async () => {
  for (const url of ["/speech/other", "/speech/", "/speech/known/x"]) {
    expect((await app.inject(url)).statusCode).toBe(404);
  }
});
