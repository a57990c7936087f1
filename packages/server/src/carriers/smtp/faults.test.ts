// Cuts a connection at any byte: a mail is accepted at most once, and a mail that may have left is never reported as
// not sent.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../platform/clock.ts";
import { type Cut, cutAtEachByte, openCuttingProxy } from "../../testing/cutting-proxy.ts";
import { type MailServer, openMailServer } from "../../testing/mail-server.ts";
import { unbounded } from "../../testing/scripted-provider.ts";
import type { Submission } from "../provider.ts";
import { completeSmtpSettings } from "./settings.ts";
import { openSmtpCarrier } from "./smtp-carrier.ts";

const message: Submission = {
  clientReference: "msg_01JDMC0000ABCDEFGHJKMNPQRS",
  tenantId: 1,
  merchantId: "shop",
  channel: "EMAIL",
  type: "OTP",
  to: "ada@example.com",
  subject: null,
  content: "42",
  automatic: false,
  attempts: 0,
  giveUpAt: 0,
};

/** Number of sessions that run at once. */
const AT_ONCE = 32;

let server: MailServer;
beforeAll(async () => {
  server = await openMailServer();
});
afterAll(() => server.close());

interface Result {
  readonly taken: number;
  readonly handedOver: number;
  /** Outcome for the dispatcher. Undefined if the submission rejected. */
  readonly outcome: string | undefined;
  /** Bytes that passed in each direction. */
  readonly passed: { readonly out: number; readonly back: number };
}

let sessions = 0;

async function sendThrough(cut: Cut | undefined): Promise<Result> {
  sessions += 1;
  const to = `ada+${String(sessions).padStart(5, "0")}@example.com`;
  const proxy = await openCuttingProxy(server.port, cut);
  const settings = { kind: "smtp", host: "127.0.0.1", port: proxy.port, tls: "none", from: "a@acme.example" };
  const carrier = openSmtpCarrier(completeSmtpSettings(settings), {
    name: "smtp-1",
    clock: systemClock,
    pepper: "pepper",
    logger: { warn() {}, error() {} },
  });
  let handedOver = 0;
  const call = {
    ...unbounded,
    async handOver() {
      handedOver += 1;
    },
  };
  const outcome = await carrier.submit({ ...message, to }, call).then(
    (answer) => answer.outcome,
    () => undefined,
  );
  const { passed } = proxy;
  await carrier.stop();
  await proxy.close();
  return { taken: server.taken.filter((mail) => mail.to === to).length, handedOver, outcome, passed };
}

describe.each(["out", "back"] as const)("a connection cut on the way %s", (direction) => {
  it("sends the mail at most once and claims only what is certain, wherever it is cut", async () => {
    const whole = await sendThrough(undefined);
    expect(whole).toMatchObject({ taken: 1, handedOver: 1, outcome: "taken" });
    const seen = { unsent: 0, inDoubt: 0, taken: 0 };
    await cutAtEachByte(
      { direction, bytes: whole.passed[direction], atOnce: AT_ONCE },
      (cut) => sendThrough(cut),
      ({ taken, handedOver, outcome }, at) => {
        expect(taken, at).toBeLessThanOrEqual(1);
        expect(handedOver, at).toBeLessThanOrEqual(1);
        expect([undefined, "taken", "deferred"], at).toContain(outcome);
        // a deferral states that the mail was not sent
        if (outcome === "deferred") expect(handedOver, at).toBe(0);
        if (handedOver === 0) expect(taken, at).toBe(0);
        if (outcome === "taken") expect(taken, at).toBe(1);
        seen[outcome === "taken" ? "taken" : handedOver === 0 ? "unsent" : "inDoubt"] += 1;
      },
    );
    expect(seen.unsent).toBeGreaterThan(50);
    expect(seen.inDoubt).toBeGreaterThan(0);
  });
});
