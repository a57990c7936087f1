// If output cannot be written, or nobody reads it, only the output is lost.

import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Credential, MsgdFolder, type MsgdProcess, msgdProgram } from "../e2e/msgd-process.ts";

/** A Linux device whose disk is always full. */
const FULL = "/dev/full";

let folder: MsgdFolder;
let handle: number;
beforeEach(() => {
  folder = new MsgdFolder();
});
afterEach(async () => {
  await folder.remove();
  closeSync(handle);
});

/** Makes the server log a line at `info`. */
async function addMerchant({ baseUrl }: MsgdProcess, { apiKey, apiSecret }: Credential): Promise<void> {
  const reply = await fetch(`${baseUrl}/api/v1/merchants`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret },
    body: JSON.stringify({ merchantId: "m1", displayName: "One" }),
  });
  expect(reply.status).toBe(200);
}

describe.skipIf(!existsSync(FULL))("a full disk", () => {
  beforeEach(() => {
    handle = openSync(FULL, "w");
  });

  it("loses lines of the log, while the server keeps serving", async () => {
    const credential = folder.createTenant();
    const server = await folder.serveWith({ stderr: handle }, "--log-level", "info");
    await addMerchant(server, credential);
    expect(await server.end("SIGTERM")).toBe(0);
  });

  it("makes a command report that its output is lost, and exit with 1", () => {
    const args = [msgdProgram, "tenants", "create", "Acme", "--data", folder.path];
    const { status, stderr } = spawnSync(process.execPath, args, { stdio: ["ignore", handle, "pipe"] });
    expect(String(stderr)).toContain(
      "msgd: the command was executed, but its output was lost: standard output failed (ENOSPC",
    );
    expect(status).toBe(1);
    expect(folder.command<object[]>("tenants", "list")).toHaveLength(1);
  });
});

describe.skipIf(process.platform === "win32")("a reader that stops reading", () => {
  it("does not delay the shutdown of the server", async () => {
    const credential = folder.createTenant();
    const pipe = join(folder.parent, "pipe");
    execFileSync("mkfifo", [pipe]);
    handle = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    fill(handle);
    const server = await folder.serveWith({ stderr: handle }, "--log-level", "info");
    await addMerchant(server, credential);
    expect(await server.end("SIGTERM")).toBe(0);
  });
});

/** Fills a pipe until it takes no more. */
function fill(pipe: number): void {
  for (const piece of [Buffer.alloc(4_096, "x"), Buffer.alloc(1, "x")]) {
    try {
      for (;;) writeSync(pipe, piece);
    } catch (error) {
      expect(error).toHaveProperty("code", "EAGAIN");
    }
  }
}
