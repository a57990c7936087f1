// Shows an email as its recipient sees it, in a sandboxed frame that runs no scripts and loads nothing else. A frame cannot
// send the session's token, so its URL has a token that is valid only for this email and for a minute.

import type { FastifyInstance } from "fastify";
import { readMessageStory } from "../domain/recipients/story.ts";
import { Refusal } from "../domain/refusal.ts";
import { replyNothingThere } from "../http/assets.ts";
import type { Clock } from "../platform/clock.ts";
import type { Store } from "../store/store.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";
import { createSignedTokens } from "./signed-tokens.ts";

const LASTS_MS = 60_000;
const FRAMES = "/dashboard/mail";

type Ticket = {
  readonly messageId: string;
  readonly tenantId: number;
  /** Whether the frame may load pictures from other hosts, which then learn that the email is being read. */
  readonly isOpen: boolean;
};

interface MailFrames {
  readonly handlers: DashboardHandlers<"getMailFrame">;
  addRoutes(app: FastifyInstance): void;
}

export function createMailFrames({
  store,
  clock,
  pepper,
}: {
  store: Store;
  clock: Pick<Clock, "now">;
  pepper: string;
}): MailFrames {
  const tickets = createSignedTokens<Ticket>(pepper, { purpose: "mail", lastsMs: LASTS_MS });
  return {
    handlers: {
      getMailFrame: {
        async read({ tx, caller, now }, { path: { messageId }, query: { pictures = "none" } }) {
          const { channel } = await readMessageStory(tx, caller, { messageId, now });
          if (channel !== "EMAIL") throw new Refusal("message_not_found", "The message is not an email.");
          const { tenantId } = caller;
          const { token, expiresAt } = await tickets.make({ messageId, tenantId, isOpen: pictures === "all" }, now);
          return { path: `${FRAMES}/${token}`, expiresAt: new Date(expiresAt).toISOString() };
        },
      },
    },
    addRoutes(app) {
      app.get<{ Params: { token: string } }>(`${FRAMES}/:token`, async (request, reply) => {
        const { messageId, tenantId, isOpen } = (await tickets.read(request.params.token, clock.now())) ?? {};
        if (messageId === undefined || tenantId === undefined) {
          return replyNothingThere("The URL of this email has expired: open the message again.", request, reply);
        }
        const scope = { tenantId, merchantId: null };
        const { content } = await store.read((tx) => readMessageStory(tx, scope, { messageId, now: clock.now() }));
        return reply
          .headers(headersOf(isOpen === true))
          .type("text/html; charset=utf-8")
          .send(withoutReach(content));
      });
    },
  };
}

/**
 * Matches elements for which Chromium 156 opens a connection before it applies the policy, or which redirect other elements.
 * They are renamed, so that they have no effect.
 */
const REACHING =
  /<(?=\/?(?:iframe|frame|frameset|object|embed|applet|portal|fencedframe|link|meta|base)(?![\w-]))(\/?)/gi;

function withoutReach(html: string): string {
  return html.replace(REACHING, "<$1x-");
}

function headersOf(isOpen: boolean) {
  const pictures = isOpen ? "img-src data: https: http:" : "img-src data:";
  return {
    "Content-Security-Policy": [
      ...["default-src 'none'", "style-src 'unsafe-inline'", pictures, "base-uri 'none'", "form-action 'none'"],
      ...["frame-ancestors 'self'", "sandbox"],
    ].join("; "),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    // without this, browsers resolve the hosts of links in advance
    "X-DNS-Prefetch-Control": "off",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
  };
}
