import { randomBytes } from "node:crypto";

/** The letters and digits of an id, each worth nearly six bits, so that no two processes ever draw the same id. */
const LENGTH = 19;
/** Ids drawn at once, which makes one as cheap as a counter. A counter would reveal the rate of others' requests. */
const IDS_A_PAGE = 256;
const PAGE_BYTES = (IDS_A_PAGE * LENGTH * 3) / 4;

const ID = new RegExp(`^req_[A-Za-z0-9]{${LENGTH}}$`);

/** Whether the text has the form of a request id. */
export function isRequestId(text: string): boolean {
  return ID.test(text);
}

/** Returns a generator of random request ids, unique across restarts and instances. */
export function createRequestIds(): () => string {
  let page = "";
  let used = 0;
  return () => {
    if (used === page.length) {
      page = randomBytes(PAGE_BYTES).toString("base64url").replaceAll(/[-_]/g, "0");
      used = 0;
    }
    const id = page.slice(used, used + LENGTH);
    used += LENGTH;
    return `req_${id}`;
  };
}
