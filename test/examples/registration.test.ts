// Exit codes of the script of examples/registration. readmes.test.ts runs the whole script.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanEnvironment, type Ended, msgctlPath, runMsgctl } from "../e2e/msgctl-process.ts";
import { MsgdFolder, type SharedServer } from "../e2e/msgd-process.ts";
import { root } from "./example-process.ts";

const folder = new MsgdFolder();
let server: SharedServer;

beforeAll(async () => {
  server = await folder.shareDemo();
});
afterAll(() => folder.remove());

function onboard(file: string, waitSeconds: string): Promise<Ended> {
  const { apiKey, apiSecret } = folder.demoCredential;
  return runMsgctl(["examples/registration/onboard.sh", file], {
    cwd: root,
    program: ["sh"],
    env: {
      ...cleanEnvironment(folder.parent),
      ...{ MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: server.baseUrl },
      MSGCTL: `${process.execPath} ${msgctlPath}`,
      WAIT_SECONDS: waitSeconds,
    },
  });
}

// the example is a shell script, which Windows cannot run
describe.skipIf(process.platform === "win32")("onboard.sh", () => {
  it("exits with 10 if the review takes longer than it waits, and resumes from there", async () => {
    const first = await onboard("examples/registration.yaml", "1");
    expect([first.exitCode, first.stderr]).toEqual([10, expect.stringContaining("6 to create.")]);
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ advance: "25h" });
    expect((await fetch(`${server.baseUrl}/control/clock`, { method: "POST", headers, body })).ok).toBe(true);
    const { exitCode, stdout, stderr } = await onboard("examples/registration.yaml", "30");
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining("Nothing to do: the registration matches the file."),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ merchantId: "demo", readyToSend: true });
  });

  it("shows its usage", async () => {
    expect(await onboard("", "1")).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("usage: onboard.sh") });
  });
});
