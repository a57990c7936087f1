// Tests the built mocks in jest, in CommonJS as ts-jest compiles it, and under jest's fake timers, which by default replace
// process.nextTick and queueMicrotask as well.

import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installPeers } from "../bench/peers.ts";
import { root } from "./packed.ts";

const jestFolder = join(root, ".cache/jest");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "mocks-jest-")));

const tests = (imports: string) => `
${imports}
const body = JSON.stringify({ merchantId: "demo", to: "+12025550100", message: "Hi", type: "OTP" });
const send = ({ baseUrl, apiKey, apiSecret }) =>
  fetch(baseUrl + "/api/v1/messages/sms", {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret },
    body,
  });

afterEach(() => jest.restoreAllMocks());

async function tryAll(service) {
  jest.spyOn(globalThis, "fetch").mockImplementation(service.fetch);
  service.failNext("sendSms", { code: "rate_limited", latencyMs: 1 });
  expect((await send(service)).status).toBe(429);
  expect((await send(service)).status).toBe(200);
  await service.clock.advance("1m");
  expect((await service.messages()).map(({ status }) => status)).toEqual(["DELIVERED"]);
  await service.reset();
  expect(await service.messages()).toEqual([]);
}

test("runs", async () => {
  const service = await createMockService();
  await tryAll(service);
  await service.close();
  expect(exampleOf("getMerchant")).toHaveProperty("merchantId");
});

test("runs under fake timers", async () => {
  jest.useFakeTimers();
  const service = await createMockService();
  await tryAll(service);
  await service.close();
});

test("reports that it is closed under fake timers that began later", async () => {
  jest.useRealTimers();
  const service = await createMockService();
  const moved = service.clock.advance("72h");
  jest.useFakeTimers();
  await moved;
  await service.close();
  await expect(service.messages()).rejects.toBeInstanceOf(MockUsageError);
});
`;

beforeAll(() => {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(
    join(folder, "common.spec.cjs"),
    tests(
      'const { createMockService, MockUsageError } = require("@msgctl/mocks");\nconst { exampleOf } = require("@msgctl/mocks/light");',
    ),
  );
  writeFileSync(
    join(folder, "module.spec.mjs"),
    tests(
      'import { jest } from "@jest/globals";\nimport { createMockService, MockUsageError } from "@msgctl/mocks";\nimport { exampleOf } from "@msgctl/mocks/light";',
    ),
  );
  const config = { testEnvironment: "node", testMatch: ["**/*.spec.?js"], transform: {}, watchman: false };
  writeFileSync(join(folder, "jest.config.json"), JSON.stringify({ ...config, haste: { enableSymlinks: false } }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ["CommonJS", "common.spec.cjs", []],
  ["ES modules", "module.spec.mjs", ["--experimental-vm-modules", "--no-warnings"]],
])("the mocks run in jest as %s", async (_what, file, flags) => {
  const { missing, failure } = await installPeers(join(root, "examples/consumer-tests-msw/jest"), jestFolder);
  if (missing.length > 0) throw new Error(`npm could not install ${missing.join(", ")}: ${failure}`);
  const jest = join(jestFolder, "node_modules/jest/bin/jest.js");
  const { NODE_OPTIONS: _options, VITEST: _vitest, ...env } = process.env;
  // a busy machine exceeds jest's own limit of 5 s for a test
  const json = ["--config", "jest.config.json", "--json", "--forceExit", "--testTimeout=100000"];
  const args = [...flags, jest, ...json, file];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch((error) => error);
  const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{"')));
  expect(testResults.map(({ message }: { message: string }) => message)).toEqual([""]);
  expect(testResults[0].assertionResults.map(({ status }: { status: string }) => status)).toEqual(
    Array.from({ length: 3 }, () => "passed"),
  );
});
