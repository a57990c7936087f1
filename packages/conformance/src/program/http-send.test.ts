import type { RequestListener } from "node:http";
import { expect, it } from "vitest";
import { withServer } from "../testing/stub-server.ts";
import { createHttpSend } from "./http-send.ts";

/** Longer than a large body is held back. */
const BUSY_MS = 200;

it("reads the refusal of a large body that arrived while this process was busy", async () => {
  const refuse: RequestListener = (_request, response) => {
    response.writeHead(413).end("{}");
    response.socket?.destroy();
    const end = performance.now() + BUSY_MS;
    while (performance.now() < end);
  };
  const bounds = { requestTimeoutMs: 60_000, deadlineMs: 60_000, maxRequests: 1 };
  const request = { method: "POST", url: "/", body: "x".repeat(2_200_000) } as const;
  const reply = await withServer(refuse, (url) =>
    createHttpSend(new URL(url), { apiKey: "key", apiSecret: "secret" }, bounds)(request),
  );
  expect([reply.statusCode, reply.body]).toEqual([413, "{}"]);
});
