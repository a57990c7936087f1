/** Describes the outcome of an attempt to post a callback, such as `200`, `timeout` or `ECONNREFUSED`. */
export function describeOutcome(outcome: string): string {
  if (Object.hasOwn(outcomes, outcome)) return outcomes[outcome] ?? outcome;
  if (isSuccess(outcome)) return "The receiver accepted it.";
  if (/^3\d\d$/.test(outcome)) return `The receiver answered ${outcome}: redirects are not followed.`;
  if (/^\d{3}$/.test(outcome)) return `The receiver answered ${outcome}, which is no success.`;
  return `The receiver could not be reached: ${outcome}.`;
}

/** Whether the receiver accepted the callback. */
export function isSuccess(outcome: string): boolean {
  return /^2\d\d$/.test(outcome);
}

const silence = "The receiver did not answer in time.";
const address = "The receiver's address is not public, and the operator does not allow such addresses.";

const outcomes: Readonly<Record<string, string>> = {
  "410": "The receiver accepts no more callbacks at this URL.",
  timeout: silence,
  ETIMEDOUT: silence,
  ETIMEOUT: silence,
  "not allowed": address,
  PRIVATE_ADDRESS: address,
  interrupted: "msgd stopped during the attempt, which does not count.",
  ECONNREFUSED: "Nothing listens at the receiver's port.",
  ENOTFOUND: "The receiver's host name is unknown.",
};
