// Brands, campaigns and numbers in the states that refuse a registration.

import type { OperationId } from "@msgctl/contract";
import { fieldsOf, wordsOf } from "../target/reply.ts";
import { type Credential, NotReachable, type Request } from "../target/send.ts";
import { needOther, type Target } from "../target/target.ts";
import { idIn, type Reply, upsertMerchant } from "./requests.ts";

interface AddedNumber {
  readonly id: unknown;
  readonly phoneNumber: string;
}

/** Registers a number for the target's merchant. */
export async function addNumber(target: Target, more: object = {}): Promise<AddedNumber> {
  const phoneNumber = target.newNumber();
  const body = { phoneNumber, capabilities: ["SMS"], ...more };
  const reply = await target.send({ method: "POST", url: `${messagingOf(target)}/numbers`, body });
  return { id: idIn(reply, "id"), phoneNumber };
}

let campaigns = 0;

/** Registers a campaign for the target's merchant, and returns its id. */
export async function addCampaign(target: Target, more: object = {}): Promise<unknown> {
  campaigns += 1;
  const { body, ...request } = target.request("registerCampaign");
  const campaignReference = `${target.prefix}campaign-${campaigns}`;
  return idIn(await target.send({ ...request, body: { ...(body as object), campaignReference, ...more } }), "id");
}

/** How many brands and campaigns a merchant may have. */
const registrationLimits = { registerBrand: 20, registerCampaign: 50 } as const;

/** Registers one more brand or campaign than allowed, for a new merchant. Returns the last reply. */
export async function fillMerchant(target: Target, operationId: OperationId): Reply {
  if (operationId !== "registerBrand" && operationId !== "registerCampaign") {
    throw new NotReachable("needs 500 numbers, more than the checks register");
  }
  const merchantId = `${target.prefix}full`;
  await upsertMerchant(target, merchantId);
  const register = (id: typeof operationId, more: object) => {
    const { method, url, body } = target.request(id);
    return target.send({
      method,
      url: url.replace(target.merchantId, merchantId),
      body: { ...(body as object), ...more },
    });
  };
  await register("registerBrand", {});
  const limit = registrationLimits[operationId];
  const fields = { registerBrand: "externalBrandRef", registerCampaign: "campaignReference" } as const;
  const add = (index: number) => register(operationId, { [fields[operationId]]: `${target.prefix}full-${index}` });
  for (let index = 0; index < limit; index += 1) await add(index);
  return add(limit);
}

/** Edits, with a merchant's credential, a brand or campaign that the tenant imported as reviewed. Every run reuses it. */
export async function editReviewed(target: Target, operationId: "registerBrand" | "registerCampaign"): Reply {
  const merchant = needOther(target, "merchant");
  const merchantId = await findMerchantOf(target, merchant);
  const register = (id: typeof operationId, change: object, as = target.credential) => {
    const { body, ...request } = target.request(id);
    const url = request.url.replace(target.merchantId, merchantId);
    return target.send({ ...request, url, body: { ...(body as object), ...change } }, { as });
  };
  const brand = { externalBrandRef: "conformance" };
  await register("registerBrand", { ...brand, status: "SUSPENDED" });
  if (operationId === "registerBrand") {
    return register(operationId, { ...brand, legalBusinessName: "Totally Other Ltd" }, merchant);
  }
  const campaign = { campaignReference: "conformance" };
  await register(operationId, { ...campaign, reviewStatus: "TCR_EXPIRED" });
  return register(operationId, { ...campaign, description: "Something else" }, merchant);
}

/** Returns the merchant of a credential, the only merchant that the credential can see. */
async function findMerchantOf(target: Target, as: Credential): Promise<string> {
  const reply = await target.send({ method: "GET", url: "/api/v1/merchants" }, { as });
  const [merchant] = Object.values(fieldsOf(reply)) as { merchantId?: unknown }[];
  if (typeof merchant?.merchantId === "string") return merchant.merchantId;
  throw new NotReachable(`a merchant's credential cannot read its merchant: ${wordsOf(reply)}`);
}

/** Assigns the number to the campaign with either operation. */
export function sendAssignment(
  target: Target,
  operationId: OperationId,
  number: AddedNumber,
  campaignId: unknown,
): Reply {
  const numbers = `${messagingOf(target)}/numbers`;
  const request: Request =
    operationId === "assignNumber"
      ? { method: "POST", url: `${numbers}/${number.id}/assign`, body: { campaignId } }
      : { method: "POST", url: numbers, body: { phoneNumber: number.phoneNumber, campaignId } };
  return target.send(request);
}

function messagingOf({ merchantId }: Target): string {
  return `/api/v1/merchants/${merchantId}/messaging`;
}
