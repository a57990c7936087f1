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

const weights: readonly number[] = [8, 4, 2, 1];
const OTP = messageClasses.OTP;
/** In which waiting adds a class's own weight once more. */
const AGEING_MS = 60_000;
/** How much waiting may add at most, so many times its weight. */
const OLDEST = 8;

export interface WaitingClass {
  readonly messageClass: number;
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
    let best: { messageClass: number; credit: number } | undefined;
    for (const { messageClass, weight } of shares) {
      const credit = (this.#credits.get(messageClass) ?? 0) + weight / total;
      this.#credits.set(messageClass, credit);
      if (best === undefined || credit > best.credit) best = { messageClass, credit };
    }
    if (best === undefined) return undefined;
    this.#credits.set(best.messageClass, best.credit - 1);
    // a class that does not wait saves nothing up
    for (const kept of this.#credits.keys()) {
      if (!shares.some(({ messageClass }) => messageClass === kept)) this.#credits.delete(kept);
    }
    return best.messageClass;
  }
}

function shareOut(waiting: readonly WaitingClass[]): { messageClass: number; weight: number }[] {
  const shares = waiting.map(({ messageClass, waitedMs }) => {
    const weight = weights[messageClass] ?? 1;
    return { messageClass, weight: weight * (1 + Math.min(Math.max(waitedMs, 0) / AGEING_MS, OLDEST)) };
  });
  const otp = shares.find((share) => share.messageClass === OTP);
  if (otp === undefined) return shares;
  const others = shares.reduce((sum, share) => (share === otp ? sum : sum + share.weight), 0);
  return shares.map((share) => (share === otp ? { ...share, weight: Math.max(share.weight, others) } : share));
}
