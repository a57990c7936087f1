/** How long an answer is reused, in milliseconds. */
const FRESH_MS = 1_000;

/**
 * Shares one call of `ask` among all callers within a second of `now`, and never calls it again before it has settled.
 * So an unauthenticated route costs no more however often it is requested.
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
