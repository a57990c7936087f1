/** How long an answer is good for those who ask next, in milliseconds. */
const FRESH_MS = 1_000;

/**
 * Asks for all who want to know within a second of `now`, and never again before it was answered: what anybody may ask
 * for costs no more however often they do.
 */
export function onceASecond<T>(ask: () => Promise<T>, now: () => number): () => Promise<T> {
  let latest: { askedAt: number; isAnswered: boolean; answer: Promise<T> } | undefined;
  return () => {
    const askedAt = now();
    if (latest !== undefined && (!latest.isAnswered || Math.abs(askedAt - latest.askedAt) < FRESH_MS)) {
      return latest.answer;
    }
    const asked = { askedAt, isAnswered: false, answer: ask() };
    const close = () => {
      asked.isAnswered = true;
    };
    asked.answer.then(close, close);
    latest = asked;
    return asked.answer;
  };
}
