// Checks every email that Postfix's smtp-sink accepts. The server is killed during the submissions.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import type { Findings, Peer } from "./check.ts";
import { LiveServer } from "./live-server.ts";
import { mailSettings, recipients, sendMails } from "./mails.ts";

const PROGRAM = "/usr/sbin/smtp-sink";
const MAILS = 200;

export const smtpSink: Peer = {
  name: "smtp-sink",
  hint: "Debian: postfix",
  find: () => (existsSync(PROGRAM) ? PROGRAM : undefined),
  check,
};

async function check(): Promise<Findings> {
  const port = await findFreePort();
  const sink = spawn(PROGRAM, ["-u", "nobody", `127.0.0.1:${port}`, "1000"], { stdio: "ignore" });
  const live = new LiveServer("EMAIL", mailSettings(port));
  try {
    await live.start();
    const start = performance.now();
    await sendMails(live, recipients(MAILS, "example.com"));
    await live.end("SIGKILL");
    await live.start();
    await live.waitForSent();
    const counts = await live.count();
    const open = Object.entries(counts).filter(([status]) => status !== "SENT" && status !== "SENDING");
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    return {
      faults: open.map(([status, count]) => `${count} are ${status}`),
      note: `${counts.SENT ?? 0} of ${MAILS} sent, ${counts.SENDING ?? 0} in doubt after a kill, in ${seconds} s`,
    };
  } finally {
    await live.folder.remove();
    sink.kill();
    if (sink.exitCode === null) await once(sink, "exit");
  }
}
