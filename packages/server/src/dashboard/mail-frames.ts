// An email as its recipient sees it, in a frame of its own: a document from another hand, which runs nothing, reaches nobody and
// knows nothing of the page around it. A frame cannot send a session's token, so its address has one that is good for this mail
// alone, for a minute.

import type { FastifyInstance } from "fastify";
import { replyNothingThere } from "../http/docs/assets.ts";
import type { Clock } from "../platform/clock.ts";
import { Refusal } from "../rules/refusal.ts";
import { readMessageStory } from "../steps/message-story.ts";
import type { Store } from "../store/store.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";
import { createSignedTokens } from "./signed-tokens.ts";

const LASTS_MS = 60_000;
const FRAMES = "/dashboard/mail";

type Ticket = {
  readonly messageId: string;
  readonly tenantId: number;
  /** Whether pictures of other hosts are shown: they tell those that the mail is read. */
  readonly isOpen: boolean;
};

interface MailFramesParts {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly pepper: string;
}

export interface MailFrames {
  readonly handlers: DashboardHandlers<"getMailFrame">;
  addRoutes(app: FastifyInstance): void;
}

export function createMailFrames({ store, clock, pepper }: MailFramesParts): MailFrames {
  const tickets = createSignedTokens<Ticket>(pepper, { purpose: "mail", lastsMs: LASTS_MS });
  return {
    handlers: {
      getMailFrame: {
        async read({ tx, caller, now }, { path: { messageId }, query: { pictures = "none" } }) {
          const { channel } = await readMessageStory(tx, caller, messageId);
          if (channel !== "EMAIL") throw new Refusal("message_not_found", "The message is no email.");
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
          return replyNothingThere("The address of this mail has expired: open its message again.", request, reply);
        }
        const scope = { tenantId, merchantId: null };
        const { content } = await store.read((tx) => readMessageStory(tx, scope, messageId));
        return reply
          .headers(headersOf(isOpen === true))
          .type("text/html; charset=utf-8")
          .send(withoutReach(content));
      });
    },
  };
}

/**
 * Elements for which a browser opens a connection before the policy is looked at (Chromium 156), or which say where others lead:
 * frames, plug-ins, hints, redirects. Under another name they are elements without a meaning.
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
    // else links are looked up before anybody follows them
    "X-DNS-Prefetch-Control": "off",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
  };
}
