// Operations on calls that speak a text to one or many numbers, and on their results.

import { findCallbackUrlFault } from "../callbacks/rules.ts";
import type { OperationContext, OperationSettings } from "../context.ts";
import { type AnyInput, type Handlers, type OperationInput, toListing } from "../handler.ts";
import { type FieldFault, listFaults, Refusal } from "../refusal.ts";
import { findListedMerchant, requireListedMerchant, requireMerchant, requirePhoneNumber } from "../tenancy/access.ts";
import {
  acceptCalls,
  acceptInSlices,
  type CallRequest,
  DEFAULT_RING_SECONDS,
  isAdmitted,
  numbersASlice,
  planCalls,
  toSlices,
} from "./accept.ts";
import { useCaseKey } from "./batch-rows.ts";
import { batchCallsQuery, findFirstCall, type NewCall, newestCallsQuery } from "./rows.ts";
import { messageTypeOf } from "./rules.ts";
import {
  readBatch,
  readCall,
  type SubmissionView,
  viewBatch,
  viewBatchNumber,
  viewCall,
  viewSubmission,
} from "./views.ts";

type TtsId = "createTtsCalls" | "listTtsCalls" | "getTtsCall" | "getTtsBatchSummary" | "listTtsBatchNumbers";
type TtsBody = OperationInput<"createTtsCalls">["body"];

/** Numbers normalised in one transaction. Some need libphonenumber's slow parser. */
const NUMBERS_A_LOOK = 500;

export const ttsCallHandlers: Handlers<TtsId> = {
  createTtsCalls: {
    authorize: (caller, { body }) => requireMerchant(caller, body.merchantId),
    findFaults: (input, settings) => [...requireNumber(input), ...requireCallbackUrl(input, settings)],
    dispatches: true,
    schedules: true,
    inSlices: {
      isNeeded: ({ body }) => (body.toNumbers?.length ?? 0) > numbersASlice(),
      async write(slicing, { body }) {
        const numbers = new Map<string, string>();
        for (const some of toSlices(listNumbers(body), NUMBERS_A_LOOK)) {
          await slicing.run(async () => collectNumbers(some, numbers));
        }
        return acceptInSlices(slicing, {
          numbers: [...numbers.keys()],
          toRequest: (context, slice) => toRequest(context, body, slice),
          refuseAll: (calls) => allRefused(body, calls, numbers),
          view: readSubmission,
        });
      },
    },
    async write(context, { body }) {
      const numbers = collectNumbers(listNumbers(body), new Map());
      const plan = await planCalls(context, toRequest(context, body, [...numbers.keys()]));
      if (!plan.calls.some(isAdmitted)) throw allRefused(body, plan.calls, numbers);
      const { batchId, executedAt } = await acceptCalls(context, plan);
      return { result: await readSubmission(context, batchId), reference: { batchId }, executedAt };
    },
    replay: (context, reference) => readSubmission(context, Number(reference.batchId)),
  },

  listTtsCalls: {
    authorize: (caller, { query }) => requireListedMerchant(caller, query.merchantId),
    async list(context, { query }) {
      const filter = {
        merchantId: await findListedMerchant(context, query.merchantId),
        tenantLabel: query.tenantId,
        sourceSystem: query.sourceSystem,
        useCaseKey: query.useCase === undefined ? undefined : useCaseKey(query.useCase),
      };
      return toListing(newestCallsQuery(context.caller.tenantId, filter, query.limit ?? 50), viewCall);
    },
  },

  getTtsCall: {
    authorize: () => {},
    async read(context, { path }) {
      return viewCall(await readCall(context.tx, context.caller, path.requestId));
    },
  },

  getTtsBatchSummary: {
    authorize: () => {},
    read: async (context, { path }) => viewBatch(await readBatch(context.tx, context.caller, path.batchId)),
  },

  listTtsBatchNumbers: {
    authorize: () => {},
    async list(context, { path, query }) {
      return toListing(
        batchCallsQuery(await readBatch(context.tx, context.caller, path.batchId), query.status),
        viewBatchNumber,
      );
    },
  },
};

function requireNumber({ body }: AnyInput): readonly FieldFault[] {
  if (typeof body !== "object" || body === null || "toNumber" in body || "toNumbers" in body) return [];
  return [{ pointer: "/toNumber", code: "required", detail: "Give toNumber, toNumbers or both: at least one number." }];
}

/** Finds the fault of the callback URL. The operator's settings decide which hosts are allowed. */
function requireCallbackUrl({ body }: AnyInput, settings: OperationSettings): readonly FieldFault[] {
  const { callbackUrl } = Object(body) as { callbackUrl?: unknown };
  if (typeof callbackUrl !== "string") return [];
  const fault = findCallbackUrlFault(callbackUrl, settings.callbackReach);
  return fault === undefined ? [] : [{ pointer: "/callbackUrl", ...fault }];
}

/** A number as given, and the pointer to it in the body. */
type GivenNumber = readonly [value: string, pointer: string];

function listNumbers({ toNumber, toNumbers = [] }: TtsBody): GivenNumber[] {
  const several = toNumbers.map((value, index) => [value, `/toNumbers/${index}`] as const);
  return toNumber === undefined ? several : [[toNumber, "/toNumber"], ...several];
}

/** Adds each distinct number in its normal form, with the pointer of its first occurrence. */
function collectNumbers(given: readonly GivenNumber[], pointers: Map<string, string>): Map<string, string> {
  for (const [value, pointer] of given) {
    const number = requirePhoneNumber(value);
    if (!pointers.has(number)) pointers.set(number, pointer);
  }
  return pointers;
}

function toRequest({ caller }: OperationContext, body: TtsBody, numbers: readonly string[]): CallRequest {
  return {
    numbers,
    terms: {
      merchantId: body.merchantId,
      platformAccountId: body.platformAccountId ?? null,
      tenantLabel: body.tenantId ?? String(caller.tenantId),
      sourceSystem: body.sourceSystem ?? null,
      useCase: body.useCase,
      campaignId: body.campaignId ?? null,
      campaignName: body.campaignName ?? null,
      messageType: messageTypeOf(body.useCase),
      messageText: body.messageText,
      language: body.language ?? "en-US",
      voiceProfile: body.voiceProfile ?? "default",
      priority: body.priority ?? "NORMAL",
      callbackUrl: body.callbackUrl ?? null,
      isRecorded: 0,
      ringSeconds: DEFAULT_RING_SECONDS,
      customerTimezone: body.customerTimezone ?? null,
    },
  };
}

function allRefused(body: TtsBody, calls: readonly NewCall[], pointers: ReadonlyMap<string, string>): Refusal {
  const type = messageTypeOf(body.useCase);
  const words: Record<string, (number: string) => string> = {
    CONSENT_REQUIRED: (number) => `${type} by VOICE needs an OPT_IN of ${number} for ${body.merchantId}.`,
    CONSENT_OPTED_OUT: (number) => `${number} opted out of VOICE from ${body.merchantId}.`,
    QUOTA_EXCEEDED: (number) => `A call to ${number} needs more minutes than ${body.merchantId} has left.`,
  };
  const errors = calls.map(({ toNumber, policyReason }) => {
    const reason = policyReason ?? "";
    return {
      pointer: pointers.get(toNumber) ?? "",
      code: reason.toLowerCase(),
      detail: words[reason]?.(toNumber) ?? reason,
    };
  });
  const numbers =
    calls.length === 1 ? "The number may not be called" : `None of the ${calls.length} numbers may be called`;
  return new Refusal("all_recipients_refused", `${numbers}; see errors.`, listFaults(errors));
}

async function readSubmission(context: OperationContext, batchId: number): Promise<SubmissionView> {
  const batch = await readBatch(context.tx, context.caller, batchId);
  const only = batch.totalCalls === 1 ? await findFirstCall(context.tx, batchId) : undefined;
  return viewSubmission(batch, only);
}
