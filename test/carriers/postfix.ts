// Starts a private Postfix, in a temporary folder, with a port on loopback.

import { execFile, execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";

const run = promisify(execFile);
const PROGRAM = "/usr/sbin/postfix";

export interface Postfix {
  readonly port: number;
  /** Number of messages that Postfix has yet to deliver. */
  countQueued(): Promise<number>;
  stop(): Promise<void>;
}

/** Returns Postfix's version; undefined if it is not installed, or if this user is not root: only root may start Postfix. */
export function findPostfix(): string | undefined {
  if (!existsSync(PROGRAM) || process.getuid?.() !== 0) return undefined;
  return execFileSync("/usr/sbin/postconf", ["-h", "mail_version"]).toString().trim();
}

/** Starts a Postfix that relays each domain to its entry in `transports`: `acme.example` → `lmtp:inet:127.0.0.1:2525`. */
export async function startPostfix(transports: Readonly<Record<string, string>>): Promise<Postfix> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-postfix-"));
  const port = await findFreePort();
  const [queue, data, config] = ["queue", "data", "config"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [queue, data, config]) mkdirSync(path);
  const uid = Number(execFileSync("id", ["-u", "postfix"]).toString());
  chownSync(data, uid, -1);
  execFileSync("chmod", ["755", folder]);
  const map = Object.entries(transports).map(([domain, transport]) => `{ ${domain} = ${transport} }`);
  writeFileSync(
    join(config, "main.cf"),
    [
      "compatibility_level = 3.6",
      `queue_directory = ${queue}`,
      `data_directory = ${data}`,
      `maillog_file = ${join(folder, "log")}`,
      `maillog_file_prefixes = ${folder}`,
      "myhostname = mx.test.example",
      "mydestination =",
      "mynetworks = 127.0.0.0/8",
      "inet_interfaces = loopback-only",
      "inet_protocols = ipv4",
      "smtpd_recipient_restrictions = permit_mynetworks, reject",
      "smtpd_relay_restrictions = permit_mynetworks, reject",
      "default_transport = error:no such domain here",
      `transport_maps = inline:{ ${map.join(", ")} }`,
      "recipient_delimiter = +",
      "smtp_tls_security_level = none",
      "smtpd_tls_security_level = none",
      "disable_dns_lookups = yes",
      "alias_maps =",
      "",
    ].join("\n"),
  );
  writeFileSync(
    join(config, "master.cf"),
    [
      `127.0.0.1:${port} inet n - n - - smtpd`,
      "cleanup unix n - n - 0 cleanup",
      "qmgr unix n - n 300 1 qmgr",
      "rewrite unix - - n - - trivial-rewrite",
      "bounce unix - - n - 0 bounce",
      "defer unix - - n - 0 bounce",
      "trace unix - - n - 0 bounce",
      "verify unix - - n - 1 verify",
      "flush unix n - n 1000? 0 flush",
      "proxymap unix - - n - - proxymap",
      "smtp unix - - n - - smtp",
      "relay unix - - n - - smtp",
      "lmtp unix - - n - - lmtp",
      "error unix - - n - - error",
      "retry unix - - n - - error",
      "discard unix - - n - - discard",
      "showq unix n - n - - showq",
      "anvil unix - - n - 1 anvil",
      "scache unix - - n - 1 scache",
      "postlog unix-dgram n - n - 1 postlogd",
      "",
    ].join("\n"),
  );
  await run(PROGRAM, ["-c", config, "start"]);
  return {
    port,
    async countQueued() {
      const { stdout } = await run("/usr/sbin/postqueue", ["-c", config, "-j"]);
      return stdout.split("\n").filter((line) => line !== "").length;
    },
    async stop() {
      await run(PROGRAM, ["-c", config, "stop"]).catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
