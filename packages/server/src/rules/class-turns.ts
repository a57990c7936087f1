// Whose turn it is in a carrier's line. Classes are weighted, not strict: whoever waits gets a share. A class grows heavier
// while its first message waits, but one-time passwords have half of all turns as long as any waits.

import type { MessageType } from "./consent.ts";

/** The class of each type of message: the lower, the heavier. */
export const messageClasses: Readonly<Record<MessageType, number>> = {
  OTP: 0,
  TRANSACTIONAL: 1,
  REMINDER: 2,
  MARKETING: 3,
};

export const classes: readonly number[] = Object.values(messageClasses);

const weights: readonly number[] = [8, 4, 2, 1];
const OTP = messageClasses.OTP;
/** In which waiting adds a class's own weight once more. */
const AGEING_MS = 60_000;
/** How much waiting may add at most, so many times its weight. */
const OLDEST = 8;

export interface WaitingClass {
  readonly class: number;
  /** How long its first message has waited, in milliseconds. */
  readonly waitedMs: number;
}

/** Turns of classes, smoothly: of heavier ones more, with those of others in between. */
export class ClassTurns {
  readonly #credits = new Map<number, number>();

  /** Whose turn is next; undefined if nobody waits. */
  next(waiting: readonly WaitingClass[]): number | undefined {
    const shares = shareOut(waiting);
    const total = shares.reduce((sum, { weight }) => sum + weight, 0);
    let best: { class: number; credit: number } | undefined;
    for (const { class: place, weight } of shares) {
      const credit = (this.#credits.get(place) ?? 0) + weight / total;
      this.#credits.set(place, credit);
      if (best === undefined || credit > best.credit) best = { class: place, credit };
    }
    if (best === undefined) return undefined;
    this.#credits.set(best.class, best.credit - 1);
    // a class that does not wait saves nothing up
    for (const place of this.#credits.keys()) {
      if (!shares.some((share) => share.class === place)) this.#credits.delete(place);
    }
    return best.class;
  }
}

function shareOut(waiting: readonly WaitingClass[]): { class: number; weight: number }[] {
  const shares = waiting.map(({ class: place, waitedMs }) => {
    const weight = weights[place] ?? 1;
    return { class: place, weight: weight * (1 + Math.min(Math.max(waitedMs, 0) / AGEING_MS, OLDEST)) };
  });
  const otp = shares.find((share) => share.class === OTP);
  if (otp === undefined) return shares;
  const others = shares.reduce((sum, share) => (share === otp ? sum : sum + share.weight), 0);
  return shares.map((share) => (share === otp ? { ...share, weight: Math.max(share.weight, others) } : share));
}
