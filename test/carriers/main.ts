// `npm run carriers`: the built msgd against carriers of other hands, as far as this machine has them. It installs and builds
// nothing; it says what it found, what it did with it, and exits with 1 if anything was sent twice, lost or misreported.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type MailServer, openMailServer } from "../../packages/server/src/testing/mail-server.ts";
import { findFreePort } from "../bench/process.ts";
import { type Credential, MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { readFolder } from "../reliability/data.ts";
import { findPostfix, startPostfix } from "./postfix.ts";

const SINK = "/usr/sbin/smtp-sink";
const PATIENCE_MS = 120_000;
const MAILS = 200;

interface Check {
  readonly name: string;
  readonly faults: readonly string[];
  readonly note: string;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** A server with one live tenant, whose mails go to a port. */
class LiveServer {
  readonly folder = new MsgdFolder();
  readonly #credential: Credential;
  readonly #flags: readonly string[];
  server: MsgdProcess | undefined;

  constructor(port: number, flags: readonly string[]) {
    const { tenantId } = this.folder.command<{ tenantId: string }>("tenants", "create", "Live");
    const file = join(this.folder.parent, "carrier.json");
    const settings = { kind: "smtp", host: "127.0.0.1", port, tls: "none", from: "Acme <no-reply@acme.example>" };
    writeFileSync(file, JSON.stringify({ ...settings, returnPath: "bounces@acme.example" }));
    this.folder.command("carriers", "set", "--tenant", tenantId, "--channel", "EMAIL", "--file", file);
    this.#credential = this.folder.createKey(tenantId);
    this.#flags = flags;
  }

  async start(): Promise<void> {
    this.server = await this.folder.serve("--log-level", "silent", ...this.#flags);
  }

  async #call(path: string, body: object): Promise<Record<string, string>> {
    const { apiKey, apiSecret } = this.#credential;
    const reply = await fetch(`${this.server?.baseUrl}/api/v1/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json()) as Record<string, string>;
  }

  async send(recipients: readonly string[]): Promise<string[]> {
    await this.#call("merchants", { merchantId: "shop", displayName: "Shop", emailLimit: 1_000_000 });
    const ids: string[] = [];
    for (const to of recipients) {
      const mail = { merchantId: "shop", to, subject: "Hello", body: "<p>Hello</p>", type: "TRANSACTIONAL" };
      ids.push((await this.#call("messages/email", mail)).messageId ?? "");
    }
    return ids;
  }

  /** Waits until as many have the status, or too long; gives how many messages have which. */
  async waitFor(status: string, count: number): Promise<Record<string, number>> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (;;) {
      const rows = await readFolder(this.folder.path).own<{ status: string; count: number }>(
        "SELECT status, COUNT(*) AS count FROM messages GROUP BY status",
      );
      const counts = Object.fromEntries(rows.map((row) => [row.status, row.count]));
      if ((counts[status] ?? 0) >= count || performance.now() > giveUpAt) return counts;
      await sleep(200);
    }
  }
}

const numbered = (count: number, domain: string) =>
  Array.from({ length: count }, (_none, index) => `user${index}@${domain}`);

/** Every mail that a sink of Postfix counts, with the server killed while it gives them. */
async function checkSink(): Promise<Check> {
  const port = await findFreePort();
  const sink = spawn(SINK, ["-u", "nobody", `127.0.0.1:${port}`, "1000"], { stdio: "ignore" });
  const live = new LiveServer(port, []);
  try {
    await live.start();
    const start = performance.now();
    await live.send(numbered(MAILS, "example.com"));
    await live.server?.end("SIGKILL");
    await live.start();
    const counts = await live.waitFor("SENT", MAILS);
    const open = Object.entries(counts).filter(([status]) => status !== "SENT" && status !== "SENDING");
    const inDoubt = counts.SENDING ?? 0;
    return {
      name: "smtp-sink",
      faults: open.map(([status, count]) => `${count} are ${status}`),
      note: `${counts.SENT ?? 0} of ${MAILS} sent, ${inDoubt} in doubt after a kill, in ${((performance.now() - start) / 1_000).toFixed(1)} s`,
    };
  } finally {
    await live.folder.remove();
    sink.kill();
    if (sink.exitCode === null) await once(sink, "exit");
  }
}

/** Mails that Postfix relays or bounces, and what it reports of them by LMTP. */
async function checkPostfix(): Promise<Check> {
  const next: MailServer = await openMailServer({ hideDSN: true });
  const bad: MailServer = await openMailServer();
  bad.refusals = { to: "550 5.1.1 no such user" };
  const bounces = await findFreePort();
  const postfix = await startPostfix({
    "example.com": `smtp:[127.0.0.1]:${next.port}`,
    "bad.example": `smtp:[127.0.0.1]:${bad.port}`,
    "acme.example": `lmtp:inet:127.0.0.1:${bounces}`,
  });
  const live = new LiveServer(postfix.port, ["--bounces", `lmtp:127.0.0.1:${bounces}`]);
  try {
    await live.start();
    await live.send([...numbered(MAILS, "example.com"), ...numbered(10, "bad.example")]);
    await live.waitFor("UNDELIVERED", 10);
    const counts = await live.waitFor("DELIVERED", MAILS);
    const times = new Map<string, number>();
    for (const { to } of next.taken) times.set(to, (times.get(to) ?? 0) + 1);
    const faults = [
      ...(counts.DELIVERED === MAILS ? [] : [`${counts.DELIVERED ?? 0} of ${MAILS} are DELIVERED`]),
      ...(counts.UNDELIVERED === 10 ? [] : [`${counts.UNDELIVERED ?? 0} of 10 are UNDELIVERED`]),
      ...[...times].filter(([, count]) => count > 1).map(([to, count]) => `${to} had it ${count} times`),
    ];
    return {
      name: "Postfix",
      faults,
      note: `${JSON.stringify(counts)}, ${await postfix.countQueued()} left in its queue`,
    };
  } finally {
    await live.folder.remove();
    await postfix.stop();
    await Promise.all([next.close(), bad.close()]);
  }
}

const postfix = findPostfix();
const found = [
  ["Postfix", postfix ?? "not found, or not root (Debian: postfix)"],
  ["smtp-sink", existsSync(SINK) ? SINK : "not found (Debian: postfix)"],
] as const;
for (const [name, what] of found) print(`${name.padEnd(12)}${what}`);
const checks: Check[] = [];
if (existsSync(SINK)) checks.push(await checkSink());
if (postfix !== undefined) checks.push(await checkPostfix());
for (const { name, faults, note } of checks) {
  print(`${faults.length === 0 ? "ok    " : "WRONG "} ${name}: ${note}`);
  for (const fault of faults) print(`       ${fault}`);
}
if (checks.length === 0) print("nothing to check against");
process.exitCode = checks.some(({ faults }) => faults.length > 0) ? 1 : 0;
