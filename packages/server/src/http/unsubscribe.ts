// Where the link of a mail leads to by which its recipient unsubscribes. A program that stands between (RFC 8058) posts to
// it; a person is asked first, as those who follow every link of a mail, to look what is there, decide nothing.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../platform/clock.ts";
import type { MessageTokens } from "../rules/message-tokens.ts";
import { escapeXml } from "../rules/provisioning.ts";
import { PROBE_MESSAGE_ID, PROBE_WORDS, UNSUBSCRIBE_PATH } from "../rules/public-paths.ts";
import { recordOptOut } from "../steps/consents.ts";
import { findMerchant } from "../store/merchants.ts";
import { type AddressedMessage, findAddressed } from "../store/messages.ts";
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

export interface UnsubscribeParts {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly tokens: MessageTokens;
}

/** Adds the page and what its button posts to. */
export function addUnsubscribeRoutes(app: FastifyInstance, { store, clock, tokens }: UnsubscribeParts): void {
  // proxies and mail programs may add the slash
  const paths = [`${UNSUBSCRIBE_PATH}:token`, `${UNSUBSCRIBE_PATH}:token/`];
  const tokenOf = (request: FastifyRequest) => (request.params as { token: string }).token;
  app.register(async (scope) => {
    // what is posted says nothing that the address does not
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: LONGEST_BODY_BYTES }, (_request, _body, done) =>
      done(null),
    );
    for (const path of paths) {
      scope.get(path, async (request, reply) => {
        const messageId = tokens.read(tokenOf(request));
        if (messageId === PROBE_MESSAGE_ID) return replyProbe(reply);
        const found = messageId === undefined ? undefined : await store.read((tx) => findSender(tx, messageId));
        return found === undefined ? replyUnknown(reply) : send(reply, 200, asking(found.sender));
      });
      scope.post(path, async (request, reply) => {
        const messageId = tokens.read(tokenOf(request));
        if (messageId === PROBE_MESSAGE_ID) return replyProbe(reply);
        const found =
          messageId === undefined ? undefined : await store.write((tx) => optOut(tx, messageId, clock.now()));
        return found === undefined ? replyUnknown(reply) : send(reply, 200, unsubscribed(found.sender));
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

/** Whose the mail is; undefined for what is none. */
async function findSender(tx: Transaction, messageId: string): Promise<Found | undefined> {
  const message = await findAddressed(tx, messageId);
  if (message?.channel !== "EMAIL") return undefined;
  const merchant = await findMerchant(tx, message.tenantId, message.merchantId);
  return { message, sender: merchant?.displayName ?? message.merchantId };
}

function asking(sender: string): string {
  return page(
    "Unsubscribe",
    `<p>Shall ${escapeXml(sender)} send you no more emails?</p>
<form method="post"><button name="List-Unsubscribe" value="One-Click">Unsubscribe</button></form>`,
  );
}

function unsubscribed(sender: string): string {
  return page(
    "Unsubscribed",
    `<p>${escapeXml(sender)} sends you no more emails, but for those about what you asked of them.</p>`,
  );
}

function replyProbe(reply: FastifyReply): FastifyReply {
  return send(reply, 200, page("Unsubscribe", `<p>${escapeXml(PROBE_WORDS)}</p>`));
}

function replyUnknown(reply: FastifyReply): FastifyReply {
  const text = `<p>This link is none of ours, or not whole. Copy all of it from the email.</p>`;
  return send(reply, 404, page("Nothing here", text));
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
