// The tracing example as a program of its own, against a real server.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MsgdFolder } from "../e2e/msgd-process.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = new MsgdFolder();
let printed: string;

beforeAll(async () => {
  const { baseUrl } = await folder.serveDemo();
  const { apiKey, apiSecret } = folder.demoCredential;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", "examples/opentelemetry/main.ts"],
    {
      cwd: root,
      env: { ...process.env, MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: baseUrl },
      timeout: 60_000,
    },
  );
  printed = stdout;
});
afterAll(() => folder.remove());

it("makes a span of each request, with what became of it", () => {
  const names = [...printed.matchAll(/^ {2}name: '(.*)',$/gm)].map(([, name]) => name);
  expect(names).toEqual(["POST /api/v1/messages/sms", "GET /api/v1/merchants/{merchantId}"]);
  expect([...printed.matchAll(/'http.response.status_code': (\d+)/g)].map(([, status]) => status)).toEqual([
    "200",
    "404",
  ]);
});

it("shows no credential", () => {
  const { apiKey, apiSecret } = folder.demoCredential;
  expect(printed).not.toContain(apiKey);
  expect(printed).not.toContain(apiSecret);
});
