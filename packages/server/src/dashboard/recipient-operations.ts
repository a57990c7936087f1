// A recipient as the dashboard shows them.

import type { RouteServices } from "../http/routes.ts";
import { contactOf } from "../rules/contacts.ts";
import { refuseFaults } from "../rules/refusal.ts";
import { formatCursor } from "../search/page-cursor.ts";
import { createSearchSource, viewWholeMessage } from "../search/search-source.ts";
import { isIn } from "../search/search-terms.ts";
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

/** Whole messages of a page, which are written in one turn of the event loop: a mail may have a mebibyte. */
const MOST_WHOLE = { messages: 5, characters: 256 * 1024 };

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
        const search = { conditions: [to], from: undefined, until: undefined };
        const asked = { search, cursor: readCursor(cursor) };
        const source = createSearchSource(store);
        const readPage = async (limit: number) => {
          const { messages, next, isComplete } = await searches.find(caller, { ...asked, limit });
          // a search has the beginning of each text, and finds every recipient that begins so
          return { whole: await source.find(messages.map(({ messageId }) => messageId)), next, isComplete };
        };
        const page = await readPage(MOST_WHOLE.messages);
        const fitting = countFitting(page.whole);
        const { whole, next, isComplete } = fitting < page.whole.length ? await readPage(fitting) : page;
        const own = whole.filter((message) => isIn(scope, message) && contactOf(message.to) === contact);
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

/** How many of the first messages a page has room for: one at least. */
function countFitting(messages: readonly { readonly content: string }[]): number {
  let characters = 0;
  const tooMany = messages.findIndex(({ content }) => {
    characters += content.length;
    return characters > MOST_WHOLE.characters;
  });
  return tooMany < 0 ? messages.length : Math.max(1, tooMany);
}
