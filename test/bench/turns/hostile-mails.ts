// Sends hostile emails of every kind, one after the other, on as many connections as one address may open.

import { fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createMessageTokens, toReturnAddress } from "../../../packages/server/src/domain/message-tokens.ts";
import { findFreePort } from "../../../packages/server/src/testing/free-port.ts";
import { type Server, startServer } from "../process.ts";
import type { Stress } from "./measure.ts";

/** Connections that msgd accepts from one address. */
const CONNECTIONS = 25;
/** If the server is silent for this long, the silence is reported as the result. */
const SILENCE_MS = 30_000;

interface MailPlan {
  readonly port: number;
  /** Return address of a message, which every recipient of an email knows. */
  readonly returnAddress: string;
  readonly windowMs: number;
}

interface Brought {
  mails: number;
  bytes: number;
  /** Connections that ended before the email was answered. */
  cutOff: number;
  readonly replies: Record<string, number>;
}

/** Sends emails that were expensive for a mail parser, and breaches of the protocol, repeatedly for `windowMs`. */
export function bringMails({ windowMs }: { windowMs: number }): Stress {
  let port = 0;
  let sink: Promise<Server> | undefined;
  let brought: Brought | undefined;
  return {
    name: `hostile mails, ${CONNECTIONS} connections`,
    async prepare() {
      port = await findFreePort();
      return undefined;
    },
    flags: () => ["--bounces", `127.0.0.1:${port}`],
    startSink: () => {
      sink = startServer(["--import", "tsx", fileURLToPath(new URL("mail-sink.ts", import.meta.url))]);
      return sink;
    },
    async run({ data }, server) {
      const tokens = createMessageTokens(readFileSync(join(data, "pepper"), "utf8").trim(), "bounce");
      const returnAddress = toReturnAddress("bounces@acme.example", tokens, "msg_01JDMC0000ABCDEFGHJKMNPQRS");
      const isSink = server === (await sink);
      brought = await runPlan({ port: isSink ? server.port : port, returnAddress, windowMs });
    },
    note() {
      if (brought === undefined) return "";
      const { mails, bytes, cutOff, replies } = brought;
      return `${mails} mails of ${(bytes / 1e6).toFixed(0)} MB; ${cutOff} connections cut off; ${JSON.stringify(replies)}`;
    },
  };
}

/** Runs in a separate process with the lowest priority. */
async function runPlan(plan: MailPlan): Promise<Brought> {
  const child = fork(new URL(import.meta.url), [JSON.stringify(plan)], { execArgv: ["--import", "tsx"] });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const ended = once(child, "exit").then(() => {
    throw new Error("the sender of the mails has ended");
  });
  const [brought] = await Promise.race([once(child, "message"), ended]);
  return brought as Brought;
}

const MIB = 2 ** 20;
const fill = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / unit.length));
const report = 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n--b\r\n';
const status = "Content-Type: message/delivery-status\r\n\r\n";
const nested = Array.from(
  { length: 3_000 },
  (_, depth) => `Content-Type: multipart/mixed; boundary="${depth}"\r\n\r\n--${depth}\r\n`,
);

const mails: readonly string[] = [
  `Subject: x\r\n\r\n${fill("\n", 1.9 * MIB)}`,
  `${report}\r\n${fill("\n", 1.9 * MIB)}`,
  `${report}${status}${fill("a:b\n\n", 1.5 * MIB)}`,
  `${report}${fill("--b\r\n\r\n", MIB)}`,
  `${report}${fill("--b\r\nContent-Type: message/rfc822\r\n\r\n", MIB)}`,
  `MIME-Version: 1.0\r\n${nested.join("")}`,
  `${fill("a: b\r\n", MIB)}\r\n`,
  `Subject: ${fill("=?utf-8?q?=61?= ", MIB)}\r\n\r\n`,
  `To: ${fill('"a" <b@c>, ', MIB)}\r\n\r\n`,
  `Content-Type: text/plain; ${fill('a*0="b"; ', MIB)}\r\n\r\n`,
  `Content-Transfer-Encoding: base64\r\n\r\n${fill("QUJD\r\n", MIB)}`,
  `Content-Transfer-Encoding: quoted-printable\r\n\r\n${fill("=\r\n", MIB)}`,
  `Content-Type: text/html\r\n\r\n${fill("<table><tr><td>", MIB)}`,
  `${report}${status}${fill("Action: failed\r\n\r\n", MIB)}`,
  `${report}Content-Type: text/rfc822-headers\r\n\r\n${fill("Message-ID: <a@b>\r\n", MIB)}`,
  `X-Failed-Recipients: a@b\r\n\r\n${fill("  a@b\r\n    x\r\n", MIB)}`,
  `Subject: x\r\n\r\nHi. This is the\r\n\r\n${fill("<a@b>:\r\n\r\n", MIB)}`,
  `Subject: x\r\n\r\n${fill("..\r\n", 1.9 * MIB)}`,
  `Subject: x\r\n\r\n${fill("x", 1.9 * MIB)}`,
  "",
];

/** Input of clients that send no email or an endless email. */
const breaches: readonly string[] = [
  "\u0016\u0003\u0001\u0002",
  "GET / HTTP/1.1\r\n\r\n",
  fill("x", MIB),
  fill("NOOP\r\n", MIB),
  fill("\n", MIB),
  `EHLO x\r\nMAIL FROM:<>\r\n${fill("RCPT TO:<a@b>\r\n", MIB)}`,
  `EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<a@b>\r\nDATA\r\n${fill("x\r\n", 6 * MIB)}`,
];

/** Sends `words` on a connection. Resolves to the reply that ended the email; undefined if the connection was closed. */
function bring(port: number, words: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1").setEncoding("latin1");
    let heard = "";
    socket.setTimeout(SILENCE_MS, () => reject(new Error(`msgd said nothing for ${SILENCE_MS / 1_000} s`)));
    socket.on("data", (chunk) => {
      heard = (heard + chunk).slice(-1_000);
      const [, reply] = /\r\n354 [^\r]*\r\n(?:[\s\S]*\r\n)?([245]\d\d) /.exec(heard) ?? [];
      if (reply === undefined) return;
      socket.destroy();
      resolve(reply);
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => resolve(undefined));
    socket.write(words, "latin1");
  });
}

async function bringAll({ port, returnAddress, windowMs }: MailPlan): Promise<Brought> {
  const brought: Brought = { mails: 0, bytes: 0, cutOff: 0, replies: {} };
  const begin = (to: string) => `EHLO x\r\nMAIL FROM:<>\r\nRCPT TO:<${to}>\r\nDATA\r\n`;
  const all = [
    ...mails.flatMap((mail) => [returnAddress, "bounces+x@acme.example"].map((to) => `${begin(to)}${mail}\r\n.\r\n`)),
    ...breaches,
  ];
  const end = performance.now() + windowMs;
  let next = 0;
  async function goOn(): Promise<void> {
    while (performance.now() < end) {
      const words = all[next++ % all.length] ?? "";
      const reply = await bring(port, words);
      brought.bytes += words.length;
      if (reply === undefined) brought.cutOff += 1;
      else {
        brought.mails += 1;
        brought.replies[reply] = (brought.replies[reply] ?? 0) + 1;
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, goOn));
  return brought;
}

const [plan] = process.argv.slice(2);
if (plan !== undefined && process.send !== undefined) {
  const brought = await bringAll(JSON.parse(plan));
  process.send(brought, () => process.disconnect());
}
