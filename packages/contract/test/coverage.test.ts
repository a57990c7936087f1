// Compares the contract with the service's interface document: its operations, inputs, fields, types, required lists and
// enums are copied here by hand from that document. openapi.yaml must have all of them, and nothing else.

import { describe, expect, test } from "vitest";
import { at, contentOf, follow, type Node, parametersOf, type Route, replies, routes, schemas } from "./document.ts";

/** METHOD path (path and query inputs) body -> status reply. A `!` marks a required input. */
const OPERATIONS = `
POST /merchants () V1MerchantUpsertRequest -> 200 MerchantView
GET /merchants () -> 200 MerchantView[]
GET /merchants/{merchantId} (merchantId!) -> 200 MerchantView
POST /consents () V1MerchantConsentRequest -> 200 ConsentView
GET /consents (merchantId) -> 200 ConsentView[]
POST /messages/sms () V1OmniSmsSendRequest -> 200 DispatchResponse
POST /messages/voice () V1OmniVoiceSendRequest -> 200 DispatchResponse
POST /messages/email () V1OmniEmailSendRequest -> 200 DispatchResponse
POST /sms/send () V1SmsSendRequest -> 200 V1MessageResponse
POST /email/send () V1EmailSendRequest -> 200 V1MessageResponse
POST /voice/tts-calls () V1VoiceTtsCallRequest -> 200 VoiceTtsSubmissionView
GET /voice/tts-calls (merchantId tenantId sourceSystem useCase limit:int32) -> 200 VoiceTtsCallView[]
GET /voice/tts-calls/{requestId} (requestId:int64!) -> 200 VoiceTtsCallView
GET /voice/tts-calls/batches/{batchId}/summary (batchId:int64!) -> 200 VoiceTtsBatchSummaryView
GET /voice/tts-calls/batches/{batchId}/numbers (batchId:int64! status) -> 200 VoiceTtsBatchNumberView[]
POST /billing/upgrade () V1MerchantUpgradeRequest -> 200 MerchantUpgradeView
GET /alerts (merchantId) -> 200 AlertView[]
GET /reports/usage (from to) -> 200 V1UsageReportResponse
POST /merchants/{merchantId}/messaging/brand (merchantId!) V1MerchantMessagingBrandRequest -> 200 BrandView
POST /merchants/{merchantId}/messaging/campaign (merchantId!) V1MerchantMessagingCampaignRequest -> 200 CampaignView
POST /merchants/{merchantId}/messaging/numbers (merchantId!) V1MerchantPhoneNumberRequest -> 200 PhoneNumberView
POST /merchants/{merchantId}/messaging/numbers/{numberId}/assign (merchantId! numberId:int64!) V1MerchantPhoneNumberAssignRequest -> 200 PhoneNumberView
GET /merchants/{merchantId}/messaging/status (merchantId!) -> 200 MerchantSmsRegistrationStatusView
GET /voice/provisioning () -> 200 V1VoiceProvisioningResponse
GET /voice/provisioning/freeswitch/directory/{identifier} (identifier!) -> 200 application/xml
POST /voice/provisioning/sip-presence () V1VoiceSipPresenceRequest -> 204
POST /simulator/reply () V1SimulatorReplyRequest -> 200 V1SimulatorReplyResponse
`;

/** Fields are strings unless a type is given; `[]` is a list. */
const REQUESTS: Record<string, string> = {
  V1MerchantUpsertRequest: `merchantId! displayName! active:boolean smsLimit:int64 voiceMinutesLimit:int64 emailLimit:int64
    smsCredits:int64 voiceMinutesCredits:int64 emailCredits:int64`,
  V1MerchantConsentRequest: "merchantId! channel! contact! status! source",
  V1OmniSmsSendRequest: "merchantId! to! message! type!",
  V1OmniVoiceSendRequest: "merchantId! to! text! type! record:boolean timeoutSeconds:int32",
  V1OmniEmailSendRequest: "merchantId! to! subject! body! type!",
  V1SmsSendRequest: "to! message!",
  V1EmailSendRequest: "to! body! subject",
  V1VoiceTtsCallRequest: `merchantId! messageText! useCase! platformAccountId tenantId sourceSystem campaignId campaignName
    toNumber language voiceProfile customerTimezone priority callbackUrl idempotencyKey toNumbers:string[]`,
  V1MerchantUpgradeRequest: `merchantId! channel! units:int64 amountCents:int64 paymentMethodId:int64|string currency note
    referenceId`,
  V1MerchantMessagingBrandRequest: `legalBusinessName! provider providerBrandId externalBrandRef businessType websiteUrl
    street city state postalCode country contactFirstName contactLastName contactEmail contactPhone status
    verificationStatus rawProviderPayload`,
  V1MerchantMessagingCampaignRequest: `useCase! description! messageFlow! sampleMessages:string[]! optInKeywords:string[]!
    optOutKeywords:string[]! helpKeywords:string[]! optInMessage! optOutMessage! helpMessage! provider providerCampaignId
    campaignReference vertical privacyPolicyLink termsAndConditionsLink status reviewStatus reviewFailureCode
    reviewFailureReason rawProviderPayload subUseCases:string[]`,
  V1MerchantPhoneNumberRequest: `phoneNumber! provider providerNumberId numberType countryCode assignmentStatus status
    capabilities:string[] campaignId:int64`,
  V1MerchantPhoneNumberAssignRequest: "campaignId:int64!",
  // the interface names both fields without saying that they are required; a report without one of them has no meaning
  V1VoiceSipPresenceRequest: "sipUsername! registered:boolean!",
  V1SimulatorReplyRequest: "tenantId! messageId! replyBody!",
};

const SUB_TENANT = "merchantId platformAccountId tenantId sourceSystem useCase campaignId campaignName";

const VIEWS: Record<string, string> = {
  MerchantView: `merchantId displayName active:boolean limits:{ smsLimit:int64 voiceMinutesLimit:int64 emailLimit:int64 }
    credits:{ smsCredits:int64 voiceMinutesCredits:int64 emailCredits:int64 }
    usage:{ smsUsed:int64 voiceUsed:int64 emailUsed:int64 periodStart }`,
  ConsentView: "merchantId channel contact status source updatedAt",
  DispatchResponse: "merchantId channel messageId status",
  V1MessageResponse: "messageId status",
  MerchantUpgradeView: `merchantId channel unitsRequested:int64 amountCents:int64 currency paymentId paymentStatus
    fulfilled:boolean remainingCredits:int64`,
  AlertView: "merchantId channel alertType severity message thresholdPercent:int32 createdAt",
  V1UsageReportResponse: `from to totalSmsCount:int64 totalEmailCount:int64 providerCost:number hqMarkup:number
    finalCharges:number freshnessState freshnessReason`,
  VoiceTtsSubmissionView: `batchId requestId status executionType scheduledAt policyReason ${SUB_TENANT} toNumber language
    voiceProfile totalCalls:int32 successCount:int32 failedCount:int32 partialCount:int32 pendingCount:int32
    scheduledCount:int32 estimatedTtsCharacters:int32 estimatedTtsCost:number estimatedCallCost:number
    totalEstimatedCost:number`,
  VoiceTtsCallView: `requestId batchId status callStatus playbackStatus finalStatus ${SUB_TENANT} toNumber language
    voiceProfile provider model ttsCacheStatus billingState providerCallId executionType executionTimezone scheduledAt
    executedAt policyReason requestedPriority createdAt updatedAt completedAt error deliveryReason ttsAssetId:int64
    callSessionId:int64 callDurationSeconds:int32 attemptCount:int32 estimatedTtsCharacters:int32
    actualTtsCharacters:int32 estimatedTtsCost:number estimatedCallCost:number actualTtsCost:number actualCallCost:number
    projectedTotalCost:number usage:VoiceTtsUsageView[]`,
  VoiceTtsUsageView: `usageType unit provider providerModel eventTime quantity:number baseCost:number markupCost:number
    finalCost:number`,
  VoiceTtsBatchSummaryView: `batchId status ${SUB_TENANT} createdAt updatedAt completedAt totalCalls:int32 success:int32
    failed:int32 partial:int32 pending:int32 scheduled:int32 finalizedCount:int32 provisionalCount:int32
    ttsCacheHits:int32 ttsCacheMisses:int32 ttsCacheHitRatio:number provisionalCost:number finalizedCost:number
    totalTtsCost:number totalCallCost:number totalCost:number`,
  VoiceTtsBatchNumberView: `requestId toNumber callStatus playbackStatus finalStatus executionType executionTimezone
    scheduledAt executedAt ttsCacheStatus billingState deliveryReason requestedPriority completedAt durationSeconds:int32
    ttsCharacters:int32 ttsAssetId:int64 ttsCost:number callCost:number totalCost:number projectedTotalCost:number`,
  PhoneNumberView: `merchantId provider providerNumberId phoneNumber numberType countryCode assignmentStatus status id:int64
    capabilities:string[] campaignId:int64 updatedAt`,
  CampaignView: `merchantId provider providerCampaignId campaignReference useCase vertical description messageFlow
    optInMessage optOutMessage helpMessage privacyPolicyLink termsAndConditionsLink status reviewStatus reviewFailureCode
    reviewFailureReason id:int64 brandId:int64 sampleMessages:string[] optInKeywords:string[] optOutKeywords:string[]
    helpKeywords:string[] subUseCases:string[] updatedAt`,
  BrandView: `merchantId provider providerBrandId externalBrandRef legalBusinessName businessType websiteUrl street city
    state postalCode country contactFirstName contactLastName contactEmail contactPhone status verificationStatus id:int64
    updatedAt`,
  MerchantSmsRegistrationStatusView: `merchantId readyToSend:boolean blockingReason brands:BrandView[]
    campaigns:CampaignView[] numbers:PhoneNumberView[]`,
  V1VoiceProvisioningResponse: `tenantId:int64 sipHost sipDomain wssUrl udpPort:int32 tlsPort:int32 wsPort:int32
    sipUsers:[{ userId:int64 email extension sipUsername password agentStatus voiceEnabled:boolean browserEnabled:boolean
      forwardNumber }]
    phoneNumbers:[{ id:int64 provider providerNumberId e164Number label status capabilities:string[] primary:boolean }]
    ringGroups:[{ id:int64 name routingStrategy timeoutSeconds:int32 voicemailEnabled:boolean
      members:[{ userId:int64 email priority:int32 enabled:boolean agentStatus forwardNumber browserEnabled:boolean
        browserClientIdentity browserActive:boolean }] }]
    menus:[{ id:int64 menuName greetingText greetingUrl ttsVoice ttsLanguage voicemailGreetingText fallbackAction
      fallbackValue businessTimeZone businessOpenLocal businessCloseLocal afterHoursGreetingText afterHoursAction
      afterHoursValue primary:boolean businessHoursEnabled:boolean maxRetries:int32 timeoutSeconds:int32
      businessDays:string[]
      options:[{ id:int64 digit label actionType targetValue ringGroupId:int64 userId:int64 sortOrder:int32 }] }]`,
  V1SimulatorReplyResponse: "status message",
};

/** Bodies posted to a callback URL. */
const EVENTS: Record<string, string> = {
  VoiceTtsCallUpdatedEvent: "type timestamp data:VoiceTtsCallView",
  VoiceTtsCallFinalizedEvent: "type timestamp data:VoiceTtsCallView",
  VoiceTtsBatchFinalizedEvent: "type timestamp data:VoiceTtsBatchSummaryView",
};

const ENUMS: Record<string, string> = {
  MessageType: "OTP REMINDER MARKETING TRANSACTIONAL",
  Channel: "SMS VOICE EMAIL",
  ConsentStatus: "OPT_IN OPT_OUT",
  FreshnessState: "PROVISIONAL FINAL",
};

/** Reads a table's line: `name`, `name:type`, `name:{ … }` and `name:[{ … }]`, each with a `!` when required. */
function readFields(line: string): Node {
  const words = line.trim().split(/\s+/);
  const read = (): Node => {
    const fields: Record<string, unknown> = {};
    for (let word = words.shift(); word !== undefined && !word.startsWith("}"); word = words.shift()) {
      const [, name = "", type = "string", mark = ""] = /^(\w+)(?::([^!]+))?(!)?$/.exec(word) ?? [];
      fields[name] = type === "{" ? read() : type === "[{" ? [read()] : type + mark;
    }
    return fields;
  };
  return read();
}

/** The fields of an object schema in the form of {@link readFields}; a view's required lists are not shown. */
function fieldsOf(schema: Node, isRequest: boolean): Node {
  const required = isRequest ? ((schema.required ?? []) as string[]) : [];
  const fields = Object.entries(at(schema, "properties")).map(([name, field]) => {
    const type = typeOf(field as Node, isRequest);
    return [name, typeof type === "string" && required.includes(name) ? `${type}!` : type];
  });
  return Object.fromEntries(fields);
}

function typeOf(field: Node, isRequest: boolean): unknown {
  if (typeof field.$ref === "string" && "properties" in follow(field)) return field.$ref.split("/").at(-1);
  const schema = follow(field);
  if (Array.isArray(schema.anyOf)) return typeOf(schema.anyOf[0], isRequest);
  if (Array.isArray(schema.oneOf)) return schema.oneOf.map((branch) => typeOf(branch, isRequest)).join("|");
  const type = [schema.type].flat().find((name) => name !== "null");
  if (type === "object") return fieldsOf(schema, isRequest);
  if (type === "integer") return schema.format;
  if (type !== "array") return type;
  const item = typeOf(at(schema, "items"), isRequest);
  return typeof item === "string" ? `${item}[]` : [item];
}

function lineOf(route: Route): string {
  const inputs = parametersOf(route)
    .filter((parameter) => parameter.in !== "header")
    .map(({ name, required, schema }) => {
      const type = typeOf(schema as Node, true);
      return `${name}${type === "string" ? "" : `:${type}`}${required === true ? "!" : ""}`;
    });
  const words = [route.method, route.path.replace("/api/v1", ""), `(${inputs.join(" ")})`];
  if (route.operation.requestBody !== undefined) words.push(nameOf(contentOf(route.operation.requestBody).schema));
  const [success] = replies.filter((reply) => reply.route === route && reply.status < 400);
  const { mediaType, schema } = contentOf(success?.response ?? {});
  words.push("->", String(success?.status));
  if (mediaType === "application/json") words.push(nameOf(schema));
  else if (mediaType !== "") words.push(mediaType);
  return words.join(" ");
}

function nameOf(schema: Node): string {
  if (schema.type === "array") return `${nameOf(at(schema, "items"))}[]`;
  return String(schema.$ref).split("/").at(-1) ?? "";
}

describe("the operations", () => {
  test("are those of the interface, all under /api/v1", () => {
    expect(routes.map(lineOf).sort()).toEqual(OPERATIONS.trim().split("\n").sort());
    expect(routes.filter(({ path }) => !path.startsWith("/api/v1/"))).toEqual([]);
    expect(routes).toHaveLength(27);
  });
});

describe("the schemas", () => {
  /** Maps each entry of a table, and keeps its name. */
  const eachOf = (table: Record<string, string>, make: (name: string, line: string) => unknown) =>
    Object.fromEntries(Object.entries(table).map(([name, line]) => [name, make(name, line)]));

  test.each([
    ["request", REQUESTS],
    ["view", VIEWS],
    ["event", EVENTS],
  ] as const)("each %s has its fields", (kind, table) => {
    const found = eachOf(table, (name) => fieldsOf(schemas[name] ?? {}, kind === "request"));
    expect(found).toEqual(eachOf(table, (_, line) => readFields(line)));
  });

  test("each enum has its values", () => {
    const found = eachOf(ENUMS, (name) => schemas[name]?.enum);
    expect(found).toEqual(eachOf(ENUMS, (_, values) => values.split(" ")));
  });

  test("that are objects are exactly those of the tables, Problem and FieldProblem", () => {
    const objects = Object.keys(schemas).filter((name) => schemas[name]?.type === "object");
    const known = [...Object.keys(REQUESTS), ...Object.keys(VIEWS), ...Object.keys(EVENTS), "Problem", "FieldProblem"];
    expect(objects.sort()).toEqual(known.sort());
  });

  test("have the interface's defaults, dates and times", () => {
    const field = (schema: string, name: string) => at(schemas[schema] ?? {}, "properties", name);
    expect(field("V1MerchantUpgradeRequest", "currency").default).toBe("USD");
    const limit = routes.flatMap(parametersOf).find(({ name }) => name === "limit");
    expect(limit?.schema).toMatchObject({ default: 50 });
    for (const view of ["PhoneNumberView", "CampaignView", "BrandView"]) {
      expect(field(view, "updatedAt").format).toBe("date-time");
    }
    for (const name of ["from", "to"]) expect(field("V1UsageReportResponse", name).format).toBe("date");
    expect(at(field("MerchantView", "usage"), "properties", "periodStart").format).toBe("date");
  });
});
