// A recipient as the dashboard shows them.

import type { RouteServices } from "../http/routes.ts";
import { refuseFaults } from "../rules/refusal.ts";
import { formatCursor } from "../search/page-cursor.ts";
import { createSearchSource } from "../search/search-source.ts";
import { isIn } from "../search/search-terms.ts";
import { viewWholeMessage } from "../search/whole-message.ts";
import { beginErasure } from "../steps/erasures.ts";
import type { Caller } from "../steps/operation.ts";
import {
  type AskedRecipient,
  askFor,
  readContact,
  readRecipientStory,
  viewRecipient,
} from "../steps/recipient-story.ts";
import { type AskedSearches, readCursor, scopeOf } from "./asked-searches.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

/** Messages of a page that are whole: each may be a mail of a mebibyte, and all are written in one turn of the event loop. */
const MOST_WHOLE = 5;

type RecipientServices = Pick<RouteServices<string>, "store" | "clock" | "settings" | "notifyJobs">;

export function recipientHandlers(
  { store, clock, settings: { digestRecipient }, notifyJobs }: RecipientServices,
  searches: AskedSearches,
): DashboardHandlers<"getRecipient" | "listRecipientMessages" | "eraseRecipient"> {
  function readAsked({ tenantId }: Caller, text: string): AskedRecipient {
    const contact = readContact(text);
    if (contact !== undefined) return askFor(contact, tenantId, digestRecipient);
    const detail = "Expected a phone number such as +12025550100, or an email address.";
    throw refuseFaults([{ pointer: "/path/contact", code: "invalid", detail }]);
  }
  return {
    getRecipient: {
      async read({ tx, caller }, { path }) {
        return viewRecipient(await readRecipientStory(tx, caller, readAsked(caller, path.contact)));
      },
    },
    listRecipientMessages: {
      async answer(caller, { path, query: { cursor } }) {
        const { contact } = readAsked(caller, path.contact);
        const scope = scopeOf(caller);
        const to = { isNot: false, about: "to", value: contact } as const;
        const { messages, next, isComplete } = await searches.find(caller, {
          search: { conditions: [to], from: undefined, until: undefined },
          limit: MOST_WHOLE,
          cursor: readCursor(cursor),
        });
        // a search has the beginning of each text, and finds every recipient that begins so
        const whole = await createSearchSource(store).find(messages.map(({ messageId }) => messageId));
        const own = whole.filter((message) => isIn(scope, message) && message.to === contact);
        return {
          messages: own.map(viewWholeMessage),
          next: next === null ? null : formatCursor(next),
          isComplete,
        };
      },
    },
    eraseRecipient: {
      async answer(caller, { path }) {
        const asked = readAsked(caller, path.contact);
        await store.write((tx) => beginErasure(tx, caller, { ...asked, now: clock.now() }));
        notifyJobs();
        return viewRecipient(await store.read((tx) => readRecipientStory(tx, caller, asked)));
      },
    },
  };
}
