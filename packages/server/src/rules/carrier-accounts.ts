// The account by which texts go to a carrier. All its connections are one to the carrier: it may tell by any of them what became of
// a text, and calls no two texts of it by the same id.

import { createHash } from "node:crypto";
import type { SmppSettings } from "./carrier-settings.ts";

const DIGEST_DIGITS = 24;

/** A digest, as an account is nobody's to read. */
export function digestAccount({ host, port, systemId }: Pick<SmppSettings, "host" | "port" | "systemId">): string {
  const account = JSON.stringify([host.toLowerCase().replace(/\.$/, ""), port, systemId]);
  return `account ${createHash("sha256").update(account).digest("hex").slice(0, DIGEST_DIGITS)}`;
}

/** The columns that a carrier of texts has beside its sealed settings: whoever needs them does not open these. */
export function textColumnsOf(
  settings: Pick<SmppSettings, "host" | "port" | "systemId" | "sender"> &
    Partial<Pick<SmppSettings, "merchantNumbers">>,
): {
  readonly sender: string;
  readonly merchantNumbers: 0 | 1;
  readonly account: string;
} {
  const { sender, merchantNumbers = true } = settings;
  return { sender, merchantNumbers: merchantNumbers ? 1 : 0, account: digestAccount(settings) };
}
