// A recipient as the dashboard shows them.

import type { RouteServices } from "../http/routes.ts";
import { refuseFaults } from "../rules/refusal.ts";
import { beginErasure } from "../steps/erasures.ts";
import type { Caller } from "../steps/operation.ts";
import { type AskedRecipient, readContact, readRecipientStory, viewRecipient } from "../steps/recipient-story.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

type RecipientServices = Pick<RouteServices<string>, "store" | "clock" | "settings" | "notifyJobs">;

export function recipientHandlers({
  store,
  clock,
  settings: { digestRecipient },
  notifyJobs,
}: RecipientServices): DashboardHandlers<"getRecipient" | "eraseRecipient"> {
  function readAsked({ tenantId }: Caller, text: string): AskedRecipient {
    const contact = readContact(text);
    if (contact !== undefined) return { contact, digest: digestRecipient(tenantId, contact) };
    const detail = "Expected a phone number such as +12025550100, or an email address.";
    throw refuseFaults([{ pointer: "/path/contact", code: "invalid", detail }]);
  }
  return {
    getRecipient: {
      async read({ tx, caller }, { path }) {
        return viewRecipient(await readRecipientStory(tx, caller, readAsked(caller, path.contact)));
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
