// Links from which the provider of a call fetches its speech. A link cannot be guessed, and expires. All calls of one day
// with the same speech have the same link, so that the provider fetches the speech once.

import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

export interface SpeechLinks {
  /** Makes the token of a speech's link, usable at least until `usableUntil`, in epoch milliseconds. */
  make(reference: string, usableUntil: number): string;
  /** Returns the speech's reference; undefined if this installation did not make the token, or if it has expired. */
  read(token: string, now: number): string | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const FORM = /^([\da-f]{64})-(\d{1,6})-([\da-f]{32})$/;
const KEY_BYTES = 32;
const CODE_CHARACTERS = 32;

/** Creates the links of an installation. All instances make the same tokens, because they share the pepper. */
export function createSpeechLinks(pepper: string): SpeechLinks {
  const key = Buffer.from(hkdfSync("sha256", pepper, "", "speech links", KEY_BYTES));
  const codeOf = (reference: string, day: string) =>
    createHmac("sha256", key).update(`${reference}-${day}`).digest("hex").slice(0, CODE_CHARACTERS);
  return {
    make(reference, usableUntil) {
      const day = String(Math.ceil(usableUntil / DAY_MS));
      return `${reference}-${day}-${codeOf(reference, day)}`;
    },
    read(token, now) {
      const [, reference = "", day = "", code = ""] = FORM.exec(token) ?? [];
      if (reference === "" || now >= Number(day) * DAY_MS) return undefined;
      const isOurs = timingSafeEqual(Buffer.from(code), Buffer.from(codeOf(reference, day)));
      return isOurs ? reference : undefined;
    },
  };
}
