// A merchant registered by the script, while the development server's clock is moved past the review.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanEnvironment, msgctlPath } from "../e2e/msgctl-process.ts";
import { MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { root } from "./example-process.ts";

const folder = new MsgdFolder();
let server: MsgdProcess;

beforeAll(async () => {
  server = await folder.serveDemo();
});
afterAll(() => folder.remove());

/** Runs a script of the folder; `onWaiting` is called once it is said what stands in the way. */
async function run(name: string, args: string[], onWaiting?: () => Promise<unknown>, env = {}) {
  const { apiKey, apiSecret } = folder.demoCredential;
  const child = spawn("sh", [`examples/registration/${name}`, ...args], {
    cwd: root,
    env: {
      ...cleanEnvironment(folder.parent),
      ...{ MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: server.baseUrl },
      MSGCTL: `${process.execPath} ${msgctlPath}`,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const written = { stdout: "", stderr: "" };
  let moved: Promise<unknown> | undefined;
  child.stdout.on("data", (text) => {
    written.stdout += text;
  });
  child.stderr.on("data", (text) => {
    written.stderr += text;
    if (written.stderr.includes("Not ready: ")) moved ??= onWaiting?.();
  });
  const [code] = await once(child, "close");
  await moved;
  return { code, ...written };
}

// shell scripts, which Windows has no shell for
describe.skipIf(process.platform === "win32")("onboard.sh", () => {
  const file = "examples/registration.yaml";

  it("ends with 10 where the review takes longer than it waits", async () => {
    const { code, stderr } = await run("onboard.sh", [file], undefined, { WAIT_SECONDS: "1" });
    expect([code, stderr]).toEqual([10, expect.stringContaining("6 to create.")]);
  });

  it("goes on with what is there, and ends when the merchant may send", async () => {
    const moveClock = () => run("move-clock.sh", ["25h"]);
    const { code, stdout, stderr } = await run("onboard.sh", [file], moveClock);
    expect([code, stderr]).toEqual([0, expect.stringContaining("Nothing to do: all is as the file says.")]);
    expect(JSON.parse(stdout)).toEqual({
      merchantId: "demo",
      readyToSend: true,
      brand: "APPROVED",
      campaign: "ACTIVE",
      numbers: ["+12025550143", "+12025550142"],
    });
  });

  it("says how it is used", async () => {
    expect(await run("onboard.sh", [])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("usage: onboard.sh"),
    });
  });
});
