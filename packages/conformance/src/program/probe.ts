// Checks the server before anything is written to it.

import type { CheckedReply } from "../contract-check/reply-check.ts";
import { fieldsOf, wordsOf } from "../target/reply.ts";
import { NoReply, type Request, RunEnded, type Send } from "../target/send.ts";
import type { OtherCredentials } from "../target/target.ts";
import { EXIT, Refusal } from "./refusal.ts";

const MERCHANTS: Request = { method: "GET", url: "/api/v1/merchants" };
const PROVISIONING: Request = { method: "GET", url: "/api/v1/voice/provisioning" };

/** @throws {Refusal} If the server does not speak the contract, or does not accept these credentials. */
export async function probe(send: Send, baseUrl: URL, { spare, merchant }: OtherCredentials): Promise<void> {
  const first = await send(MERCHANTS).catch((error: unknown) => {
    if (!(error instanceof NoReply || (error instanceof RunEnded && error.message !== "interrupted"))) throw error;
    throw new Refusal(`${error.message}. Is the server running, and --base-url its address?`);
  });
  if (first.statusCode === 401) refuseCredential(first, "MSGCTL_API_KEY and MSGCTL_API_SECRET");
  if (fieldsOf(first).code === "merchant_scope_denied") {
    throw new Refusal("the credential is of one merchant; the checks need one of a whole tenant", EXIT.refused);
  }
  if (first.statusCode === 404 || !hasJson(first)) {
    const type = first.headers["content-type"] ?? "no content type";
    throw new Refusal(
      `there is no server of this contract at ${baseUrl.href}: GET ${MERCHANTS.url} below it answered ` +
        `${wordsOf(first)} (${type}), and a list of merchants or a problem, as JSON, is allowed. ` +
        `Give --base-url without ${MERCHANTS.url}`,
    );
  }
  if (merchant !== undefined) {
    const reply = await send(MERCHANTS, { as: merchant });
    if (reply.statusCode === 401) refuseCredential(reply, "MSGCTL_MERCHANT_API_KEY and MSGCTL_MERCHANT_API_SECRET");
  }
  if (spare === undefined) return;
  const [own, other] = [await send(PROVISIONING), await send(PROVISIONING, { as: spare })];
  if (other.statusCode === 401) refuseCredential(other, "MSGCTL_SPARE_API_KEY and MSGCTL_SPARE_API_SECRET");
  const ids = [own, other].map((reply) => fieldsOf(reply).tenantId);
  // its merchant `default` is briefly deactivated
  if (ids[0] === undefined || ids[1] === undefined || ids[0] === ids[1]) {
    throw new Refusal(
      `MSGCTL_SPARE_API_KEY must belong to a second tenant: ${PROVISIONING.url} answered ` +
        `${wordsOf(own)} with tenant ${ids[0]} to the first credential, ${wordsOf(other)} with ${ids[1]} to this one`,
      EXIT.refused,
    );
  }
}

function refuseCredential(reply: CheckedReply, variables: string): never {
  throw new Refusal(`the credential was refused: ${wordsOf(reply)}. Set ${variables} to a good one`, EXIT.refused);
}

function hasJson({ body }: CheckedReply): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
