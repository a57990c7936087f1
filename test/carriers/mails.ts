import type { LiveServer } from "./live-server.ts";

/** Settings of an email carrier that listens on a port. */
export const mailSettings = (port: number) => ({
  ...{ kind: "smtp", host: "127.0.0.1", port, tls: "none" },
  ...{ from: "Acme <no-reply@acme.example>", returnPath: "bounces@acme.example" },
});

export const recipients = (count: number, domain: string) =>
  Array.from({ length: count }, (_none, index) => `user${index}@${domain}`);

export async function sendMails(live: LiveServer, to: readonly string[]): Promise<void> {
  await live.addMerchant();
  for (const recipient of to) {
    const mail = { merchantId: "shop", to: recipient, subject: "Hello", body: "<p>Hello</p>", type: "TRANSACTIONAL" };
    await live.call("POST", "messages/email", mail);
  }
}
