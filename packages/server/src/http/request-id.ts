import { randomBytes } from "node:crypto";

/** Letters and digits of an id, each worth nearly six bits: no two processes ever draw the same. */
const LENGTH = 19;
/** Drawn and encoded at once, which makes an id as cheap as a count, and a count shows what others ask for. */
const IDS_A_PAGE = 256;
const PAGE_BYTES = (IDS_A_PAGE * LENGTH * 3) / 4;

/** Gives each request an id by chance, unique over restarts and instances. */
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
