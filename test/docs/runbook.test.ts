// Checks the commands that docs/operations.md gives an operator for each alert. Every command exists. Those of msgd and curl
// are run, alert by alert, on an installation with the tenants, carriers and keys that they name.

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createPost } from "../e2e/create-post.ts";
import { MsgdFolder, msgdProgram } from "../e2e/msgd-process.ts";
import { blocksOf } from "./markdown.ts";

const page = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");
const sections = [...page.matchAll(/^### (Msgd\w+)\n([\s\S]*?)(?=^##)/gm)].map(([, alert = "", text = ""]) => ({
  alert,
  lines: blocksOf(text)
    .filter(({ language }) => language === "sh")
    .flatMap((block) =>
      block.text
        .replaceAll(/\|\n\s*/g, "| ")
        .trimEnd()
        .split("\n"),
    ),
}));

/** Commands of the operating system, or of packages that the operator has installed. */
const SYSTEM =
  /^(?:systemctl|journalctl|timedatectl|chronyc|fuser|findmnt|uptime|df|du|ls|curl -sS http:\/\/127\.0\.0\.1:4800\/(?:readyz|healthz|metrics)) ?/;

/** The command's words and flags in a line of msgd, without the pipeline after it. */
function partsOf(line: string) {
  const [command = ""] = line.split(/ -- | \| | {2,}# | # /);
  const words = command
    .replaceAll(/"[^"]*"/g, "text")
    .trim()
    .split(" ")
    .slice(1);
  const first = words.findIndex((word) => !/^[a-z-]+$/.test(word) || word.startsWith("-"));
  const names = first < 0 ? words : words.slice(0, first);
  return { names: names.slice(0, 2), flags: words.filter((word) => /^--?[a-z]/.test(word)) };
}

describe.skipIf(process.platform === "win32")("the runbook", () => {
  const folder = new MsgdFolder();
  const bin = join(folder.parent, "bin");
  let baseUrl: string;
  let ids: Readonly<Record<string, string>>;

  const run = async (line: string) => {
    const env = { PATH: `${bin}:${process.env.PATH}`, MSGD_DATA: folder.path, HOME: folder.parent };
    const options = { cwd: folder.parent, env, timeout: 60_000 };
    return promisify(execFile)("bash", ["-c", line], options).then(
      ({ stdout, stderr }) => ({ code: 0, printed: stdout + stderr }),
      ({ code, stdout, stderr }) => ({ code, printed: `${stdout}${stderr}` }),
    );
  };

  /** The line with this installation's values. */
  const here = (line: string) =>
    Object.entries(ids).reduce(
      (text, [written, own]) => text.replaceAll(written, own),
      line.replaceAll("http://127.0.0.1:4800", baseUrl),
    );

  beforeAll(async () => {
    mkdirSync(bin);
    mkdirSync(join(folder.parent, "backups"));
    writeFileSync(join(bin, "msgd"), `#!/bin/sh\nexec "${process.execPath}" "${msgdProgram}" "$@"\n`, { mode: 0o755 });
    // no server listens on port 1
    const mail = { kind: "smtp", host: "127.0.0.1", port: 1, tls: "none", from: "a@acme.example" };
    writeFileSync(join(folder.parent, "mail.json"), JSON.stringify(mail));
    writeFileSync(join(folder.parent, "other.json"), JSON.stringify({ ...mail, port: 2 }));
    const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Acme");
    expect(tenantId).toBe("1");
    const key = folder.createKey(tenantId);
    await folder.run(
      "carriers",
      "set",
      "--tenant",
      "1",
      "--channel",
      "EMAIL",
      "--file",
      join(folder.parent, "mail.json"),
    );
    ({ baseUrl } = await folder.serve());
    const send = createPost(baseUrl, key);
    const post = async (path: string, body: object) => (await send(path, body)).json();
    await post("/api/v1/merchants", { merchantId: "m1", displayName: "First", emailLimit: 100, smsLimit: 100 });
    const sent = { merchantId: "m1", to: "ann@example.com", subject: "Hi", body: "Hello", type: "OTP" };
    const { messageId } = await post("/api/v1/messages/email", sent);
    await post("/api/v1/messages/sms", { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" });
    const upgrade = { merchantId: "m1", channel: "SMS", units: 10, paymentMethodId: "pm_made_up" };
    const { paymentId } = await post("/api/v1/billing/upgrade", upgrade);
    const { id } = await post("/api/v1/merchants/m1/messaging/brand", { legalBusinessName: "Nobody Inc" });
    ids = {
      msg_01KJQH7VR0Q7H3N5S9VYB1DFGT: messageId,
      pay_01KJQH7VR0Q7H3N5S9VYB1DFGT: paymentId,
      "brand 301": `brand ${id}`,
      mkt_live_0123456789abcdefghijklmnopqr: key.apiKey,
      "/var/lib/msgd": folder.path,
      "/var/backups/msgd": join(folder.parent, "backups"),
    };
    const isDown = async () => expect((await run("msgd carriers list")).printed).toContain("DOWN since");
    await vi.waitFor(isDown, { timeout: 60_000, interval: 500 });
    // one email leaves the queue because it is being retried; the other two stay in the queue
    for (let count = 0; count < 3; count += 1) await post("/api/v1/messages/email", sent);
  });
  afterAll(() => folder.remove());

  it("has commands for every alert", () => {
    expect(sections.length).toBeGreaterThan(20);
    expect(sections.filter(({ lines }) => lines.length === 0)).toEqual([]);
  });

  it("names only existing commands and flags", async () => {
    const unknown: string[] = [];
    const helps = new Map<string, Awaited<ReturnType<typeof run>>>();
    for (const line of sections.flatMap(({ lines }) => lines)) {
      if (SYSTEM.test(line) || line.startsWith("msgctl ")) continue;
      const { names, flags } = partsOf(line);
      const command = `msgd ${names.join(" ")}`;
      const help = helps.get(command) ?? (await run(`${command} --help`));
      helps.set(command, help);
      const { code, printed } = help;
      const isCommand = code === 0 && line.startsWith("msgd ") && printed.startsWith(`Usage: ${command}`);
      if (!isCommand || flags.some((flag) => !printed.includes(flag))) unknown.push(line);
    }
    expect(unknown).toEqual([]);
  });

  it("has commands that work if they are pasted unchanged", async () => {
    const printed: Record<string, string> = {};
    const failed: object[] = [];
    for (const { alert, lines } of sections) {
      for (const line of lines.filter((each) => /^(?:msgd|curl|df|du|ls) /.test(each))) {
        const done = await run(here(line));
        printed[alert] = (printed[alert] ?? "") + done.printed;
        // a search for replies that no caller got exits with 1
        if (done.code !== 0 && !(done.code === 1 && line.includes("status="))) failed.push({ line, ...done });
      }
    }
    expect(failed).toEqual([]);
    expect(printed).toMatchObject({
      MsgdDown: expect.stringContaining('"ok"'),
      MsgdDatabaseUnreadable: expect.stringContaining("ok     the file is whole"),
      MsgdCredentialsRefused: expect.stringContaining("last used"),
      MsgdBacklogOld: expect.stringMatching(/^msgd_outbox_depth\{kind="smtp"\} [2-4]$/m),
      MsgdCarrierDown: expect.stringMatching(
        /EMAIL.*[2-4] waiting since.*DOWN since.*ECONNREFUSED[\s\S]*ends? FAILED and uncharged/,
      ),
      MsgdNoCarrier: expect.stringMatching(/SMS none[\s\S]*1 message waits[\s\S]*FAILED and uncharged/),
      MsgdOutcomesInDoubt: expect.stringMatching(/^msgd_outcomes_in_doubt 0$/m),
      MsgdPaymentsWaiting: expect.stringMatching(/PENDING[\s\S]*SUCCEEDED/),
      MsgdRegistrationsWaiting: expect.stringMatching(/PENDING[\s\S]*VERIFIED/),
      MsgdBackupMissed: expect.stringContaining("by-hand.db"),
    });
  });
});
