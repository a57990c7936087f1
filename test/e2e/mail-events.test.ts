// A live tenant on a fresh server sends mails over SMTP. Their provider reports to the server, repeats and reorders its
// reports, and is forged: each mail ends as the provider knows it, also over a restart.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EventsRequest } from "../../packages/server/src/domain/carrier-events.ts";
import { SendGridDouble } from "../../packages/server/src/testing/mail-provider-double.ts";
import { type MailServer, openMailServer } from "../../packages/server/src/testing/mail-server.ts";
import { createPost } from "./create-post.ts";
import { type Credential, MsgdFolder, type MsgdProcess } from "./msgd-process.ts";

const MESSAGES = 60;
const PUBLIC_URL = "https://msg.acme.example";
const SERVE = ["--public-url", PUBLIC_URL, "--consent-policy", "opt_out_only"] as const;

const folder = new MsgdFolder();
const sendGrid = new SendGridDouble(() => Date.now());
let mailServer: MailServer;
let server: MsgdProcess;
let credential: Credential;
let eventsUrl: string;

beforeAll(async () => {
  mailServer = await openMailServer();
  const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Live");
  credential = folder.createKey(tenantId);
  server = await folder.serve(...SERVE);
  const file = join(folder.parent, "mail.json");
  const settings = {
    ...{ kind: "smtp", host: "127.0.0.1", port: mailServer.port, tls: "none", from: "Acme <no-reply@acme.example>" },
    ...{ postalAddress: "Acme\n1 Main St", events: sendGrid.settings },
  };
  writeFileSync(file, JSON.stringify(settings), { mode: 0o600 });
  folder.command("carriers", "set", "--tenant", tenantId, "--channel", "EMAIL", "--file", file);
  const shown = folder.command<{ eventsUrl: string }>("carriers", "show", "--tenant", tenantId, "--channel", "EMAIL");
  ({ eventsUrl } = shown);
  await createPost(server.baseUrl, credential)("/api/v1/merchants", {
    ...{ merchantId: "shop", displayName: "Shop", emailLimit: 100_000 },
  });
});
afterAll(async () => {
  await folder.remove();
  await mailServer.close();
});

/** Posts events as SendGrid does, through the proxy: again, until they are taken or refused. Resolves to the status. */
async function deliver({ headers, body }: EventsRequest): Promise<number> {
  for (;;) {
    const url = eventsUrl.replace(PUBLIC_URL, server.baseUrl);
    const request = { method: "POST", headers: headers as Record<string, string>, body: new Uint8Array(body) };
    const status = await fetch(url, request).then(
      (reply) => reply.status,
      () => 503,
    );
    if (status < 500) return status;
    await sleep(50);
  }
}

const kinds = ["delivered", "bounced", "complained", "deferred"] as const;
const kindOf = (to: string) => kinds[Number(/\d+/.exec(to)?.[0]) % kinds.length] ?? "delivered";

it("each mail ends as its provider knows it", async () => {
  const post = createPost(server.baseUrl, credential);
  const recipients = Array.from({ length: MESSAGES }, (_none, index) => `ada${index}@example.com`);
  const ids = new Map<string, string>();
  for (const to of recipients) {
    const mail = { merchantId: "shop", type: "MARKETING", to, subject: "Sale", body: "<p>Sale</p>" };
    const reply = await post("/api/v1/messages/email", mail);
    expect(reply.status).toBe(200);
    ids.set(((await reply.json()) as { messageId: string }).messageId, to);
  }
  await expect.poll(() => mailServer.taken.length).toBe(MESSAGES);
  expect(mailServer.taken[0]?.source).toContain(`${PUBLIC_URL}/unsubscribe/`);

  const reports = await Promise.all(mailServer.taken.map((mail) => sendGrid.report(mail, kindOf(mail.to))));
  const batch = sendGrid.sign(reports.flatMap(({ body }) => JSON.parse(body.toString())));
  const forged = { ...batch, body: Buffer.from(batch.body.toString().replace("delivered", "bounce")) };
  expect(await deliver(forged)).toBe(403);
  for (const report of reports.slice(0, MESSAGES / 2)) expect(await deliver(report)).toBe(200);
  expect(await server.end("SIGTERM")).toBe(0);
  const afterwards = [deliver(batch), deliver(forged), deliver(batch)];
  server = await folder.serve(...SERVE);
  expect(await Promise.all(afterwards)).toEqual([200, 403, 200]);

  const ends = { delivered: "DELIVERED", bounced: "UNDELIVERED", complained: "SENT", deferred: "SENT" };
  const expected = Object.fromEntries([...ids].map(([messageId, to]) => [messageId, ends[kindOf(to)]]));
  const list = folder.command<{ messageId: string; status: string }[]>(
    ...["messages", "list", "--tenant", credential.tenantId, "--limit", "10000"],
  );
  expect(Object.fromEntries(list.map(({ messageId, status }) => [messageId, status]))).toEqual(expected);
  // a complaint opts out
  const again = { merchantId: "shop", type: "MARKETING", to: "ada2@example.com", subject: "Sale", body: "Sale" };
  const refused = await createPost(server.baseUrl, credential)("/api/v1/messages/email", again);
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([422, "consent_opted_out"]);
});
