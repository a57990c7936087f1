/**
 * Names of one to three letters in the IANA time zone database. ICU has more, with unexpected meanings: ICU's BST is
 * Bangladesh.
 */
const SHORT = /^(?:CET|EET|EST|GB|GMT|HST|MET|MST|NZ|PRC|ROC|ROK|UCT|UTC|WET)$/i;

/** Whether `name` is an IANA time zone that this runtime knows, such as `America/New_York`. An offset is not one. */
export function isTimezone(name: unknown): name is string {
  if (typeof name !== "string" || !/^[A-Za-z]/.test(name) || /^SystemV\//i.test(name)) return false;
  if (name.length <= 3 && !SHORT.test(name)) return false;
  try {
    // Results are not cached: names come from requests, and each has many spellings in upper and lower case.
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
