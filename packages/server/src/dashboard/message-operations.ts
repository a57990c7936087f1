// Messages as the dashboard shows them: found, followed, and one at a time.

import type { Views } from "@msgctl/dashboard/api";
import type { Clock } from "../platform/clock.ts";
import { Refusal, refuseFaults } from "../rules/refusal.ts";
import { parseSearch, type Search } from "../rules/search-language.ts";
import type { FollowedMessage } from "../search/follower.ts";
import type { SearchScope } from "../search/search-terms.ts";
import type { Searches } from "../search/searches.ts";
import { readMessageStory } from "../steps/message-story.ts";
import type { Caller } from "../steps/operation.ts";
import { anyone, type DashboardHandlers } from "./dashboard-api.ts";

const DEFAULT_LIMIT = 50;
/** Of a message's text in a list, in characters. */
const EXCERPT = 200;

export function messageHandlers(
  searches: Searches | undefined,
  clock: Pick<Clock, "now">,
): DashboardHandlers<"searchMessages" | "followMessages" | "getMessage"> {
  function requireSearches(): Searches {
    if (searches === undefined) throw new Refusal("unavailable", "This server keeps no index of its messages.");
    return searches;
  }
  return {
    searchMessages: {
      authorize: anyone,
      async answer(caller, { query: { q = "", cursor, limit = DEFAULT_LIMIT } }) {
        const asked = { scope: scopeOf(caller), search: readSearch(q, caller, clock.now()), limit, cursor };
        const { messages, lookedBackTo, followedUntil, ...page } = await requireSearches().find(asked);
        return {
          ...page,
          messages: messages.map(viewRow),
          lookedBackTo: toTime(lookedBackTo),
          followedUntil: toTime(followedUntil),
        };
      },
    },
    followMessages: {
      authorize: anyone,
      stream(caller, { query: { q = "" } }, events) {
        const watched = { scope: scopeOf(caller), search: readSearch(q, caller, clock.now()) };
        const watch = requireSearches().watch(watched, ({ messages, ...changes }) => {
          const view: Views["MessageChanges"] = {
            messages: messages.map(viewRow),
            gone: [...changes.gone],
            more: changes.more,
          };
          events.send("messages", view);
        });
        events.onEnd(() => watch.end());
        watch.begun.then(
          () => events.send("open", {}),
          () => events.end(),
        );
      },
    },
    getMessage: {
      authorize: anyone,
      async read({ tx, caller }, { path: { messageId } }) {
        const { createdAt, updatedAt, ...message } = await readMessageStory(tx, caller, messageId);
        return {
          ...message,
          createdAt: new Date(createdAt).toISOString(),
          updatedAt: new Date(updatedAt).toISOString(),
        };
      },
    },
  };
}

function scopeOf({ tenantId, merchantId }: Caller): SearchScope {
  return { tenantId, merchantId: merchantId ?? undefined };
}

/** Throws `validation_error` with the place of each part that is not understood. */
function readSearch(text: string, { timezone }: Caller, now: number): Search {
  const read = parseSearch(text, { now, timezone });
  if ("search" in read) return read.search;
  throw refuseFaults(
    read.faults.map(({ start, end, detail }) => ({
      pointer: "/query/q",
      code: "invalid",
      detail: `Characters ${start + 1} to ${end}: ${detail}.`,
    })),
  );
}

function viewRow(message: FollowedMessage): Views["MessageRow"] {
  const { messageId, channel, type, status, reason, merchantId, to, subject, content, createdAt } = message;
  const excerpt = Array.from(content.slice(0, 2 * EXCERPT))
    .slice(0, EXCERPT)
    .join("");
  return {
    ...{ messageId, channel, type, status, reason, merchantId, to, subject, excerpt },
    createdAt: new Date(createdAt).toISOString(),
  };
}

function toTime(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}
