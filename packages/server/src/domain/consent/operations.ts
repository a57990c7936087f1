// Operations that record and list consent.

import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import type { Channel } from "../contacts.ts";
import { type Handlers, type OperationResult, toListing } from "../handler.ts";
import { findMerchant } from "../merchants/rows.ts";
import { parsePhoneNumber } from "../phone-numbers.ts";
import { type FieldFault, Refusal } from "../refusal.ts";
import { findListedMerchant, merchantNotFound, requireListedMerchant, requireMerchant } from "../tenancy/access.ts";
import { type ConsentRow, consentsQuery, findConsent, recordConsent } from "./rows.ts";

type ConsentView = OperationResult<"recordConsent">;

export const consentHandlers: Handlers<"recordConsent" | "listConsents"> = {
  recordConsent: {
    authorize: (caller, { body }) => requireMerchant(caller, body.merchantId),
    findFaults: ({ body }) => findContactFault(Object(body)),
    async write({ tx, caller, now }, { body }) {
      const { merchantId, channel, status } = body;
      const contact = parseContact(channel, body.contact);
      if (contact === undefined) throw new Error("an invalid contact passed validation");
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
      if (consent === undefined) {
        const detail =
          "The recipient was erased after the request with this key recorded their decision: use a new key.";
        throw new Refusal("idempotency_key_reused", detail);
      }
      return viewConsent(consent);
    },
  },

  listConsents: {
    authorize: (caller, { query }) => requireListedMerchant(caller, query.merchantId),
    async list(context, { query }) {
      const merchantId = await findListedMerchant(context, query.merchantId);
      return toListing(consentsQuery(context.caller.tenantId, merchantId), viewConsent);
    },
  },
};

/** Parses a contact as consents store it: an address for EMAIL, else a phone number. */
function parseContact(channel: Channel, contact: string): string | undefined {
  return channel === "EMAIL" ? parseEmailAddress(contact) : parsePhoneNumber(contact);
}

const contactFaults: Readonly<Record<Channel, Omit<FieldFault, "pointer">>> = {
  SMS: { code: "invalid_phone_number", detail: expectNumber("SMS") },
  VOICE: { code: "invalid_phone_number", detail: expectNumber("VOICE") },
  EMAIL: {
    code: "invalid_email",
    detail: "Expected an email address such as ada@example.com, because channel is EMAIL.",
  },
};

function expectNumber(channel: Channel): string {
  return `Expected an E.164 phone number such as +12025550100, because channel is ${channel}.`;
}

/** Checks the contact against the body's channel: no schema can express that one field's form depends on another. */
function findContactFault({ channel, contact }: { channel?: unknown; contact?: unknown }): FieldFault[] {
  if (typeof contact !== "string" || !isChannel(channel) || parseContact(channel, contact) !== undefined) return [];
  return [{ pointer: "/contact", ...contactFaults[channel] }];
}

function isChannel(channel: unknown): channel is Channel {
  return typeof channel === "string" && Object.hasOwn(contactFaults, channel);
}

function viewConsent(consent: ConsentRow): ConsentView {
  return { ...consent, updatedAt: new Date(consent.updatedAt).toISOString() };
}
