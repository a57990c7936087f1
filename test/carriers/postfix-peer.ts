// Emails that Postfix relays or bounces, and its reports of them by LMTP.

import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import { openMailServer } from "../../packages/server/src/testing/mail-server.ts";
import type { Findings, Peer } from "./check.ts";
import { LiveServer } from "./live-server.ts";
import { mailSettings, recipients, sendMails } from "./mails.ts";
import { findPostfix, startPostfix } from "./postfix.ts";

const GOOD = 200;
const BAD = 10;

export const postfixPeer: Peer = {
  name: "Postfix",
  hint: "Debian: postfix; root alone starts it",
  find: findPostfix,
  check,
};

async function check(): Promise<Findings> {
  const next = await openMailServer({ hideDSN: true });
  const bad = await openMailServer();
  bad.refusals = { to: "550 5.1.1 no such user" };
  const bounces = await findFreePort();
  const postfix = await startPostfix({
    "example.com": `smtp:[127.0.0.1]:${next.port}`,
    "bad.example": `smtp:[127.0.0.1]:${bad.port}`,
    "acme.example": `lmtp:inet:127.0.0.1:${bounces}`,
  });
  const flags = ["--bounces", `127.0.0.1:${bounces}`];
  const live = new LiveServer("EMAIL", mailSettings(postfix.port), { flags });
  try {
    await live.start();
    await sendMails(live, [...recipients(GOOD, "example.com"), ...recipients(BAD, "bad.example")]);
    // the next hop reports no deliveries, so Postfix reports only that it relayed the emails
    const counts = await live.waitFor(({ SENT, UNDELIVERED }) => SENT === GOOD && UNDELIVERED === BAD);
    const times = new Map<string, number>();
    for (const { to } of next.taken) times.set(to, (times.get(to) ?? 0) + 1);
    return {
      faults: [
        ...(counts.SENT === GOOD ? [] : [`${counts.SENT ?? 0} of ${GOOD} are SENT`]),
        ...(counts.UNDELIVERED === BAD ? [] : [`${counts.UNDELIVERED ?? 0} of ${BAD} are UNDELIVERED`]),
        ...[...times].filter(([, count]) => count > 1).map(([to, count]) => `${to} received it ${count} times`),
      ],
      note: `${JSON.stringify(counts)}, ${await postfix.countQueued()} left in its queue`,
    };
  } finally {
    await live.folder.remove();
    await postfix.stop();
    await Promise.all([next.close(), bad.close()]);
  }
}
