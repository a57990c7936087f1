// The kinds of carriers that can be set for tenants. To add a kind, add a folder beside this file and a line here.

import type { Channel } from "../domain/contacts.ts";
import { type DocumentFault, objectOf } from "../domain/document-checks.ts";
import { freeSwitchKind } from "./freeswitch/kind.ts";
import { httpKind } from "./http/kind.ts";
import type { CarrierKind, CarrierSettings, KindTraits } from "./kind.ts";
import { rateFields } from "./settings-document.ts";
import { smppKind } from "./smpp/kind.ts";
import { smtpKind } from "./smtp/kind.ts";
import { telnyxKind } from "./telnyx/kind.ts";
import { twilioKind } from "./twilio/kind.ts";

export const kinds: readonly CarrierKind[] = [smtpKind, smppKind, twilioKind, telnyxKind, freeSwitchKind, httpKind];

/** The channels for which a carrier can be set. */
export const carriedChannels: readonly Channel[] = [...new Set(kinds.flatMap(({ channels }) => channels))];

/** Lists the kinds that serve a channel. */
export function kindsOf(channel: Channel): CarrierKind[] {
  return kinds.filter(({ channels }) => channels.includes(channel));
}

/** Finds a kind by its name. Returns undefined for the simulated carrier, too, because it has no document. */
export function findKind(name: string): CarrierKind | undefined {
  return kinds.find((kind) => kind.name === name);
}

/** Returns the kind of a carrier's settings. Throws if this version does not know the kind. */
export function requireKind({ kind: name }: CarrierSettings): CarrierKind {
  const kind = findKind(name);
  if (kind === undefined) throw new Error(`this version of msgd has no carriers of the kind ${JSON.stringify(name)}`);
  return kind;
}

/**
 * Returns the guarantees of a carrier; undefined if this version does not know its kind. A carrier with events is also told of
 * deliveries.
 */
export function traitsOf({ kind, eventsId }: { kind: string; eventsId: string | null }): KindTraits | undefined {
  const traits = findKind(kind)?.traits;
  return traits && { ...traits, tellsOnlyFailures: traits.tellsOnlyFailures && eventsId === null };
}

/** Returns the public URL in the links of a carrier, and in the URL of its events. */
export function publicUrlOf(settings: CarrierSettings, serverUrl: string | undefined): string | undefined {
  return findKind(settings.kind)?.findPublicUrl?.(settings, serverUrl) ?? serverUrl;
}

/** Reports a fault if the document's `kind` does not serve the channel. */
export function findKindFault(document: unknown, channel: Channel): DocumentFault | undefined {
  const given = objectOf(document, "").fields.kind;
  const names = kindsOf(channel).map(({ name }) => name);
  if (names.some((name) => name === given)) return undefined;
  const allowed = names.map((name) => `"${name}"`).join(" or ");
  const carry = names.length === 1 ? "carries" : "carry";
  const received = given === undefined ? "none" : JSON.stringify(given);
  return { pointer: "/kind", detail: `expected ${allowed}, which ${carry} ${channel}, received ${received}` };
}

/** Returns the JSON Schema of a kind's documents. */
export function schemaOf({ name, schema }: CarrierKind): object {
  return {
    type: "object",
    additionalProperties: false,
    required: ["kind", ...schema.required],
    properties: { kind: { const: name }, ...rateFields, ...schema.properties },
  };
}

const SHOWN = "set";

/** Whether the settings contain a secret, so that a file with them must be protected. */
export function holdsSecret(settings: CarrierSettings): boolean {
  return (findKind(settings.kind)?.secrets ?? []).some((path) => findHolder(settings, path) !== undefined);
}

/** Returns the settings without secrets. A secret is shown as "set"; of an unknown kind, only the kind is shown. */
export function withoutSecrets(settings: CarrierSettings): object {
  const kind = findKind(settings.kind);
  if (kind === undefined) return { kind: settings.kind };
  const shown = structuredClone(settings);
  for (const path of kind.secrets) {
    const holder = findHolder(shown, path);
    if (holder !== undefined) holder.fields[holder.name] = SHOWN;
  }
  return shown;
}

/** Finds the object that contains the last field of a path. Returns undefined if the field is not set. */
function findHolder(settings: object, path: string): { fields: Record<string, unknown>; name: string } | undefined {
  const names = path.split(".");
  const name = names.pop() as string;
  let fields = settings as Record<string, unknown> | undefined;
  for (const outer of names) fields = fields?.[outer] as Record<string, unknown> | undefined;
  return fields?.[name] === undefined ? undefined : { fields, name };
}
