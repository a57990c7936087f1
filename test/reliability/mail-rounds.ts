// Kills a server that submits emails to a carrier that cannot be asked.

import { openMailServer } from "../../packages/server/src/testing/mail-server.ts";
import { between } from "./between.ts";
import { countEach } from "./carried.ts";
import { type CarrierResult, runKillRounds } from "./carrier-rounds.ts";
import type { Sending } from "./persistent-load.ts";

const LONGEST_ANSWER_MS = 25;

const mails: Sending = {
  path: "messages/email",
  recipient: (serial) => `ada${serial}@example.com`,
  body: (to) => ({ merchantId: "first", to, subject: "Hi", body: "42", type: "OTP" }),
};

export function runMailRounds(rounds: number): Promise<CarrierResult> {
  return runKillRounds(rounds, mails, async () => {
    const server = await openMailServer();
    server.delay = () => between(0, LONGEST_ANSWER_MS);
    return {
      channel: "EMAIL",
      settings: { kind: "smtp", host: "127.0.0.1", port: server.port, tls: "none", from: "no-reply@acme.example" },
      tellsEnds: false,
      countTaken: () => countEach(server.taken.map(({ to }) => to)),
      close: () => server.close(),
    };
  });
}
