// The statuses, codes and headers that an operation declares follow from its input and its effects.

import { describe, expect, test } from "vitest";
import {
  at,
  contentOf,
  document,
  follow,
  type Node,
  parametersOf,
  type Route,
  replies,
  routes,
  schemas,
} from "./document.ts";

const TENANT_ONLY = [
  "upsertMerchant",
  "sendDirectSms",
  "sendDirectEmail",
  "getUsageReport",
  "getVoiceProvisioning",
  "getDirectoryEntry",
  "reportSipPresence",
];
const SENDS = ["sendSms", "sendVoice", "sendEmail", "sendDirectSms", "sendDirectEmail"];
/** Operations that need a merchant that may send: every send, and the purchase of units. */
const ACTIVE_ONLY = [...SENDS, "createTtsCalls", "requestUpgrade"];
/** This operation answers 200 for an unknown user, and reads no query. */
const DIRECTORY = "getDirectoryEntry";

const cases = routes.map((route) => [route.operation.operationId, route] as const);

function codesOf(route: Route): string[] {
  const errors = replies.filter((reply) => reply.route === route && reply.status >= 400);
  return errors.flatMap(({ response }) => Object.keys(contentOf(response).examples));
}

function bodyFieldsOf({ operation }: Route): Node {
  return operation.requestBody === undefined ? {} : at(follow(contentOf(operation.requestBody).schema), "properties");
}

/** Whether a field of the body, or the items of a list in it, have this component as their schema. */
function takes(route: Route, component: string): boolean {
  const reference = `#/components/schemas/${component}`;
  return Object.values(bodyFieldsOf(route)).some(
    (field) => (field as Node).$ref === reference || at(field as Node, "items").$ref === reference,
  );
}

function takesParameter(route: Route, place: string, name?: string): boolean {
  return parametersOf(route).some((parameter) => parameter.in === place && (name ?? parameter.name) === parameter.name);
}

/** A rule for each code: whether an operation declares it. */
const rules: Record<string, (route: Route) => boolean> = {
  malformed_http: () => true,
  headers_too_large: () => true,
  request_timeout: () => true,
  credentials_missing: () => true,
  credentials_invalid: () => true,
  credentials_revoked: () => true,
  method_not_allowed: () => true,
  not_acceptable: () => true,
  rate_limited: () => true,
  internal_error: () => true,
  unavailable: () => true,
  outcome_unknown: ({ method }) => method === "POST",
  validation_error: ({ operation }) => operation.operationId !== DIRECTORY,
  malformed_json: ({ method }) => method === "POST",
  idempotency_key_invalid: ({ method }) => method === "POST",
  idempotency_in_progress: ({ method }) => method === "POST",
  idempotency_key_reused: ({ method }) => method === "POST",
  payload_too_large: ({ method }) => method === "POST",
  unsupported_media_type: ({ method }) => method === "POST",
  idempotency_key_conflict: (route) => "idempotencyKey" in bodyFieldsOf(route),
  invalid_phone_number: (route) => takes(route, "PhoneNumber") || "contact" in bodyFieldsOf(route),
  invalid_email: (route) => takes(route, "EmailAddress") || "contact" in bodyFieldsOf(route),
  invalid_timezone: (route) => "customerTimezone" in bodyFieldsOf(route),
  invalid_date_range: (route) => takesParameter(route, "query", "from"),
  route_not_found: (route) => takesParameter(route, "path"),
  merchant_not_found: (route) => namesMerchant(route) && !TENANT_ONLY.includes(route.operation.operationId),
  merchant_scope_denied: (route) => namesMerchant(route) || TENANT_ONLY.includes(route.operation.operationId),
  merchant_inactive: ({ operation }) => ACTIVE_ONLY.includes(operation.operationId),
  quota_exceeded: ({ operation }) => SENDS.includes(operation.operationId),
  consent_required: (route) => takes(route, "MessageType"),
  consent_opted_out: (route) => takes(route, "MessageType") || route.operation.operationId === "sendDirectSms",
  call_not_found: (route) => takesParameter(route, "path", "requestId"),
  batch_not_found: (route) => takesParameter(route, "path", "batchId"),
  number_not_found: (route) => takesParameter(route, "path", "numberId"),
  message_not_found: (route) => "messageId" in bodyFieldsOf(route),
  reply_not_supported: (route) => "messageId" in bodyFieldsOf(route),
  sip_user_not_found: (route) => "sipUsername" in bodyFieldsOf(route),
  all_recipients_refused: (route) => "toNumbers" in bodyFieldsOf(route),
  campaign_not_found: isAssignment,
  illegal_transition: (route) =>
    isAssignment(route) || ["registerBrand", "registerCampaign"].includes(route.operation.operationId),
  registration_limit: ({ operation }) =>
    ["registerBrand", "registerCampaign", "registerNumber"].includes(operation.operationId),
  campaign_number_limit: isAssignment,
  number_not_sms_capable: isAssignment,
  brand_not_found: ({ operation }) => operation.operationId === "registerCampaign",
  campaign_reference_conflict: ({ operation }) => operation.operationId === "registerCampaign",
  number_already_registered: ({ operation }) => operation.operationId === "registerNumber",
  tenant_mismatch: ({ operation }) => operation.operationId === DIRECTORY,
};

function namesMerchant(route: Route): boolean {
  return (
    ["path", "query"].some((place) => takesParameter(route, place, "merchantId")) || "merchantId" in bodyFieldsOf(route)
  );
}

function isAssignment(route: Route): boolean {
  return at(bodyFieldsOf(route), "campaignId").format === "int64";
}

describe("problem codes by operation", () => {
  test("every code has a rule", () => {
    expect(Object.keys(rules).sort()).toEqual([...((schemas.ProblemCode?.enum ?? []) as string[])].sort());
  });

  test("each operation declares exactly the codes whose rules apply to it", () => {
    const expected = (route: Route) => Object.keys(rules).filter((code) => rules[code]?.(route));
    const of = (codes: (route: Route) => string[]) => cases.map(([name, route]) => [name, codes(route).sort()]);
    expect(of(codesOf)).toEqual(of(expected));
  });
});

describe("headers by reply", () => {
  test("each reply declares the headers of its status", () => {
    const expectedOf = ({ route, status, response }: (typeof replies)[number]) => {
      const codes = Object.keys(contentOf(response).examples);
      const expected = ["X-Request-Id"];
      if (status < 400 || status === 429) expected.push("RateLimit", "RateLimit-Policy");
      if (status < 400 && route.method === "POST") expected.push("Idempotent-Replayed");
      if (status < 400 && route.operation.operationId === DIRECTORY) expected.push("Cache-Control");
      if (status === 401) expected.push("WWW-Authenticate");
      if (status === 405) expected.push("Allow");
      if ([429, 503].includes(status) || codes.includes("idempotency_in_progress")) expected.push("Retry-After");
      return expected;
    };
    const of = (headers: (reply: (typeof replies)[number]) => string[]) =>
      replies.map((reply) => [reply.route.operation.operationId, reply.status, headers(reply).sort()]);
    expect(of(({ response }) => Object.keys(at(response, "headers")))).toEqual(of(expectedOf));
  });

  test("an operation takes an Idempotency-Key exactly when it writes", () => {
    const takes = cases.filter(([, route]) => takesParameter(route, "header", "Idempotency-Key"));
    const writes = cases.filter(([, { method }]) => method === "POST");
    expect(takes.map(([name]) => name)).toEqual(writes.map(([name]) => name));
  });
});

test("every operation but the directory requires both credential headers, and no operation allows the bearer scheme", () => {
  const headers = { apiKey: [], apiSecret: [] };
  expect(document.security).toEqual([headers]);
  const others = routes.flatMap(({ operation }) => ("security" in operation ? [operation] : []));
  expect(others).toMatchObject([{ operationId: "getDirectoryEntry", security: [headers, { basic: [] }] }]);
  expect(at(document, "components", "securitySchemes")).toMatchObject({
    apiKey: { type: "apiKey", in: "header", name: "X-API-KEY" },
    apiSecret: { type: "apiKey", in: "header", name: "X-API-SECRET" },
    basic: { type: "http", scheme: "basic" },
    dashboardSession: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
  });
});
