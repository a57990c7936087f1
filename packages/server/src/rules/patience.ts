// How long somebody is asked about what they may or may not have done: see behaviour.md, sends. Times in epoch milliseconds.

/** 72 hours, and for a message also how late after its acceptance it may still be handed over. */
export const PATIENCE_MS = 72 * 60 * 60 * 1_000;

/**
 * Until when to go on asking. What nobody was asked about before its time was over, because no server ran or because the
 * database was put back, has all of it once more from `now`: nothing is given up unasked.
 */
export function extendPatience({ giveUpAt, asks }: { giveUpAt: number; asks: number }, now: number): number {
  return asks === 0 && now >= giveUpAt ? now + PATIENCE_MS : giveUpAt;
}

/** The longest pause of a carrier between two attempts to report the same. */
const REPORTED_AGAIN_WITHIN_MS = 6 * 60 * 60 * 1_000;

/**
 * Until when to await what a carrier may have reported while nobody listened: it reports it again. In the past, if somebody has
 * listened for long enough.
 */
export function listenUntil(listeningSince: number): number {
  return listeningSince + REPORTED_AGAIN_WITHIN_MS;
}
