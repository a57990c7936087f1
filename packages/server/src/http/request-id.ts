import { randomBytes } from "node:crypto";

/** Gives each request an id that is unique over restarts and instances: a random start and a count. */
export function createRequestIds(): () => string {
  const start = randomBytes(9).toString("base64url").replaceAll(/[-_]/g, "0");
  let count = 0;
  return () => {
    count += 1;
    return `req_${start}${count.toString(36).padStart(7, "0")}`;
  };
}
