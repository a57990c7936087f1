import { parseEmailAddress, parsePhoneNumber } from "../rules/contacts.ts";
import { type ConsentRow, findConsent, listConsents, recordConsent } from "../store/consents.ts";
import type { Channel } from "../store/merchants.ts";
import { findMerchant } from "../store/merchants.ts";
import { listedMerchant, requireListedMerchant, requireMerchant } from "./access.ts";
import { merchantNotFound } from "./merchants.ts";
import type { Handlers, OperationResult } from "./operation.ts";
import { refuseFaults } from "./refusal.ts";

type ConsentView = OperationResult<"recordConsent">;

export const consentHandlers: Handlers<"recordConsent" | "listConsents"> = {
  recordConsent: {
    authorize: (caller, { body }) => requireMerchant(caller, body.merchantId),
    async write({ tx, caller, now }, { body }) {
      const { merchantId, channel, status } = body;
      const contact = requireContact(channel, body.contact);
      if ((await findMerchant(tx, caller.tenantId, merchantId)) === undefined) throw merchantNotFound(merchantId);
      const key = { tenantId: caller.tenantId, merchantId, channel, contact };
      const source = body.source ?? null;
      await recordConsent(tx, key, { status, source, changedBy: caller.apiKey, now });
      return {
        result: viewConsent({ merchantId, channel, contact, status, source, updatedAt: now }),
        reference: { merchantId, channel, contact },
      };
    },
    async replay({ tx, caller }, reference) {
      const { merchantId, channel, contact } = reference as { merchantId: string; channel: Channel; contact: string };
      const consent = await findConsent(tx, { tenantId: caller.tenantId, merchantId, channel, contact });
      if (consent === undefined) throw new Error("a recorded consent is gone");
      return viewConsent(consent);
    },
  },

  listConsents: {
    authorize: (caller, { query }) => requireListedMerchant(caller, query.merchantId),
    async read({ tx, caller }, { query }) {
      const merchantId = listedMerchant(caller, query.merchantId);
      if (merchantId !== undefined && (await findMerchant(tx, caller.tenantId, merchantId)) === undefined) {
        throw merchantNotFound(merchantId);
      }
      return (await listConsents(tx, caller.tenantId, merchantId)).map(viewConsent);
    },
  },
};

/** A contact as consent is kept for it: an address for EMAIL, else a phone number. */
function requireContact(channel: Channel, contact: string): string {
  if (channel === "EMAIL") {
    const address = parseEmailAddress(contact);
    if (address !== undefined) return address;
    const detail = `Expected an email address such as ada@example.com, because channel is EMAIL.`;
    throw refuseFaults([{ pointer: "/contact", code: "invalid_email", detail }]);
  }
  const number = parsePhoneNumber(contact);
  if (number !== undefined) return number;
  const detail = `Expected an E.164 phone number such as +12025550100, because channel is ${channel}.`;
  throw refuseFaults([{ pointer: "/contact", code: "invalid_phone_number", detail }]);
}

function viewConsent(consent: ConsentRow): ConsentView {
  return { ...consent, updatedAt: new Date(consent.updatedAt).toISOString() };
}
