// Runs command lines against servers that do not implement the contract, and checks the exit codes. For a real server, see
// test/e2e/conformance-tool.test.ts.

import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { usage } from "./program/command-line.ts";
import { run } from "./run.ts";
import { withServer } from "./testing/stub-server.ts";

const env = { MSGCTL_API_KEY: "mkt_1", MSGCTL_API_SECRET: "mks_1" };

async function runLine(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ["", ""];
  const code = await run(args, {
    env,
    cwd: tmpdir(),
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    watchInterruption: () => new AbortController().signal,
  });
  return { code, stdout, stderr };
}

it("prints its help", async () => {
  expect(await runLine("-h")).toEqual({ code: 0, stdout: usage, stderr: "" });
});

it("prints its version", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(await runLine("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

it("reports an invalid command line", async () => {
  expect(await runLine("-o", "xml")).toEqual({
    ...{ code: 2, stdout: "" },
    stderr: "conformance: --output takes table or json, received xml\n",
  });
});

it("reports that no server answers", async () => {
  const url = await withServer(
    () => undefined,
    async (url) => url,
  );
  expect(await runLine("--base-url", url)).toEqual({
    ...{ code: 2, stdout: "", stderr: expect.stringMatching(/ECONNREFUSED. Is the server running/) },
  });
});

it.each<[string, RequestListener, RegExp]>([
  ["hangs up", (request) => request.destroy(), /no reply that can be read: ECONNRESET/],
  [
    "answers with a page",
    (_request, response) => response.setHeader("content-type", "text/html").end("<p>Hello"),
    /no server of this contract at .* answered 200 \(text\/html\)/,
  ],
  [
    "has nothing at this path",
    (_request, response) => response.writeHead(404, { "content-type": "application/json" }).end("{}"),
    /no server of this contract at .* answered 404 \{\}/,
  ],
  [
    "sends without end",
    (_request, response) => {
      const part = Buffer.alloc(1 << 20, " ");
      const more = () => {
        while (response.write(part));
      };
      response.on("drain", more);
      more();
    },
    /more than 33554432 bytes/,
  ],
  [
    "refuses everything for its rate",
    (_request, response) => {
      const problem = { type: "https://example.test/errors/rate_limited", title: "Too many", code: "rate_limited" };
      response.writeHead(429, {
        "content-type": "application/problem+json",
        "retry-after": "0",
        "x-request-id": "r",
        ratelimit: '"default";r=0;t=0',
        "ratelimit-policy": '"default";q=1;w=1',
      });
      response.end(JSON.stringify({ ...problem, status: 429, detail: "Wait.", instance: "/", requestId: "req_1" }));
    },
    /nothing was checked: every request exceeded the rate limit/,
  ],
])("reports a server that %s", async (_title, listener, words) => {
  const { code, stderr } = await withServer(listener, (url) => runLine("--base-url", url, "--only", "alerts"));
  expect([code, stderr]).toEqual([2, expect.stringMatching(words)]);
});
