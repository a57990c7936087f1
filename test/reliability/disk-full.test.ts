// Simulates a disk that fills up and is cleared: changes the limit on the size of files while the server runs.

import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Credential, MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";

function postTo(server: MsgdProcess, credential: Credential, path: string, body: object, key?: string) {
  const { apiKey, apiSecret } = credential;
  const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret };
  return fetch(`${server.baseUrl}/api/v1/${path}`, {
    method: "POST",
    headers: key === undefined ? headers : { ...headers, "idempotency-key": key },
    body: JSON.stringify(body),
  });
}

const hasPrlimit = (() => {
  try {
    execFileSync("prlimit", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasPrlimit)("a server whose disk is full", () => {
  const folder = new MsgdFolder();
  afterAll(() => folder.remove());

  it("keeps acknowledged work, refuses new work as unavailable, and accepts work again once there is space", async () => {
    const credential = folder.createTenant();
    const server = await folder.serve("--log-level", "fatal");
    const post = (path: string, body: object, key?: string) => postTo(server, credential, path, body, key);
    await post("merchants", { merchantId: "m1", displayName: "First", emailLimit: 1_000 });
    const limitFiles = (bytes: number | "unlimited") =>
      execFileSync("prlimit", ["--pid", String(server.pid), `--fsize=${bytes}:unlimited`]);
    const body = { merchantId: "m1", to: "ada@example.com", subject: "Hi", body: "x".repeat(20_000), type: "OTP" };
    const send = async (key: string) => {
      const reply = await post("messages/email", body, key);
      const { messageId, code } = await reply.json();
      return { key, status: reply.status, headers: reply.headers, messageId: String(messageId), code };
    };
    const readiness = async () => {
      const reply = await fetch(`${server.baseUrl}/readyz`);
      return [reply.status, await reply.json()];
    };
    const ready = [200, { status: "ready" }];
    const sendAll = (keys: string[]) => Promise.all(keys.map(send));

    await expect.poll(readiness).toEqual(ready);
    limitFiles(statSync(join(folder.path, "msgd.db-wal")).size + 1_000_000);
    const replies: Awaited<ReturnType<typeof send>>[] = [];
    for (let group = 0; group < 20; group += 1) {
      replies.push(...(await sendAll(Array.from({ length: 10 }, (_, index) => `email-${group}-${index}`))));
    }
    const accepted = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(accepted.length).toBeGreaterThan(10);
    expect(refused.length).toBeGreaterThan(10);
    for (const { status, code, headers } of refused) {
      expect([status, code, headers.get("retry-after")]).toEqual([503, "unavailable", "5"]);
    }

    await expect
      .poll(readiness)
      .toEqual([503, expect.objectContaining({ code: "not_ready", detail: "The database accepts no writes." })]);

    limitFiles("unlimited");
    await expect.poll(readiness).toEqual(ready);
    const again = await sendAll(replies.map(({ key }) => key));
    expect(again.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const messageIds = new Map(again.map(({ key, messageId }) => [key, messageId]));
    expect(new Set(messageIds.values()).size).toBe(replies.length);
    for (const { key, messageId } of accepted) expect(messageIds.get(key)).toBe(messageId);
    const replays = again.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
    expect(replays.map(({ key }) => key)).toEqual(accepted.map(({ key }) => key));
  });
});
