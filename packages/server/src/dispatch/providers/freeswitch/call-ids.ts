import { hash } from "node:crypto";

/** The channel's UUID of a message, always the same: FreeSWITCH has no second call of a UUID that is up. */
export function callIdOf(messageId: string): string {
  const digits = hash("sha256", `call ${messageId}`, "hex");
  // version 8: of the maker's own choice
  const [a, b, c, d, e] = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(13, 16),
    digits.slice(17, 20),
    digits.slice(20, 32),
  ];
  return `${a}-${b}-8${c}-8${d}-${e}`;
}

/** Stands for a carrier in the variables of its calls. */
export function carrierMark(ledger: string): string {
  return hash("sha256", ledger, "hex").slice(0, 12);
}
