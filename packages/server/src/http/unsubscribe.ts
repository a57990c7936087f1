// Serves the unsubscribe link of an email. A mail program posts to it (RFC 8058). A person gets a page that asks first, so
// that scanners, which open every link, do not unsubscribe anybody.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findMerchant } from "../domain/merchants/rows.ts";
import type { MessageTokens } from "../domain/message-tokens.ts";
import { recordOptOut } from "../domain/messages/consents.ts";
import { type AddressedMessage, findAddressed } from "../domain/messages/rows.ts";
import { escapeXml } from "../domain/provisioning/rules.ts";
import { PROBE_MESSAGE_ID, PROBE_WORDS, UNSUBSCRIBE_PATH } from "../domain/public-paths.ts";
import type { Clock } from "../platform/clock.ts";
import type { Store, Transaction } from "../store/store.ts";

const LONGEST_BODY_BYTES = 4_096;

const headers = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
  "Cache-Control": "no-store",
};

/** Adds the page and the route that its button posts to. */
export function addUnsubscribeRoutes(
  app: FastifyInstance,
  { store, clock, tokens }: { store: Store; clock: Pick<Clock, "now">; tokens: MessageTokens },
): void {
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { find, show }: { find: (messageId: string) => Promise<Found | undefined>; show: (sender: string) => string },
  ): Promise<FastifyReply> {
    const messageId = tokens.read((request.params as { token: string }).token);
    if (messageId === PROBE_MESSAGE_ID) {
      return send(reply, 200, page("Unsubscribe", `<p>${escapeXml(PROBE_WORDS)}</p>`));
    }
    const found = messageId === undefined ? undefined : await find(messageId);
    if (found !== undefined) return send(reply, 200, show(found.sender));
    const text = `<p>This link is invalid or incomplete. Copy the whole link from the email.</p>`;
    return send(reply, 404, page("Nothing here", text));
  }

  app.register(async (scope) => {
    // the body is ignored, because the path identifies the message
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: LONGEST_BODY_BYTES }, (_request, _body, done) =>
      done(null),
    );
    // proxies and mail programs may add a trailing slash
    for (const path of [`${UNSUBSCRIBE_PATH}:token`, `${UNSUBSCRIBE_PATH}:token/`]) {
      scope.get(path, (request, reply) =>
        answer(request, reply, { find: (messageId) => store.read((tx) => findSender(tx, messageId)), show: asking }),
      );
      scope.post(path, (request, reply) => {
        const find = (messageId: string) => store.write((tx) => optOut(tx, messageId, clock.now()));
        return answer(request, reply, { find, show: unsubscribed });
      });
    }
  });
}

async function optOut(tx: Transaction, messageId: string, now: number): Promise<Found | undefined> {
  const found = await findSender(tx, messageId);
  const by = { source: "EMAIL_LINK:UNSUBSCRIBE", changedBy: "recipient" };
  if (found !== undefined) await recordOptOut({ tx, now }, found.message, by);
  return found;
}

interface Found {
  readonly message: AddressedMessage;
  readonly sender: string;
}

/** Finds the email and the name of its sender; undefined if the message is not an email. */
async function findSender(tx: Transaction, messageId: string): Promise<Found | undefined> {
  const message = await findAddressed(tx, messageId);
  if (message?.channel !== "EMAIL") return undefined;
  const merchant = await findMerchant(tx, message.tenantId, message.merchantId);
  return { message, sender: merchant?.displayName ?? message.merchantId };
}

function asking(sender: string): string {
  return page(
    "Unsubscribe",
    `<p>Do you want to stop receiving emails from ${escapeXml(sender)}?</p>
<form method="post"><button name="List-Unsubscribe" value="One-Click">Unsubscribe</button></form>`,
  );
}

function unsubscribed(sender: string): string {
  return page(
    "Unsubscribed",
    `<p>You will receive no more emails from ${escapeXml(sender)}, except those about your orders and requests.</p>`,
  );
}

function send(reply: FastifyReply, status: number, content: string): FastifyReply {
  return reply.code(status).headers(headers).send(content);
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><main><h1>${title}</h1>
${content}
</main></body>
</html>
`;
}
