// Generated from packages/dashboard/openapi.yaml by npm run generate. Do not edit.

import type { OperationId } from "../operation-types.ts";

/** Each component as JSON Schema with its name as `$id`; references have the form `MerchantView#`. */
export const schemas = {
  Role: { $id: "Role", type: "string", enum: ["viewer", "agent", "admin"] },
  RequestOutcome: { $id: "RequestOutcome", type: "string", enum: ["failed"] },
  TenantMode: { $id: "TenantMode", type: "string", enum: ["live", "test"] },
  TenantView: {
    $id: "TenantView",
    type: "object",
    required: ["tenantId", "name", "timezone", "mode"],
    properties: {
      tenantId: { type: "string" },
      name: { type: "string" },
      timezone: { type: "string" },
      mode: { $ref: "TenantMode#" },
    },
  },
  SessionView: {
    $id: "SessionView",
    type: "object",
    required: ["email", "role", "merchantId", "tenant", "tenants", "isDevelopment", "canSearch", "now"],
    properties: {
      email: { type: ["string", "null"] },
      role: { $ref: "Role#" },
      merchantId: { type: ["string", "null"] },
      tenant: { $ref: "TenantView#" },
      tenants: { type: "array", items: { $ref: "TenantView#" } },
      isDevelopment: { type: "boolean" },
      canSearch: { type: "boolean" },
      now: { type: "string", format: "date-time" },
    },
  },
  MessageRow: {
    $id: "MessageRow",
    type: "object",
    required: [
      "messageId",
      "channel",
      "type",
      "status",
      "reason",
      "merchantId",
      "to",
      "subject",
      "excerpt",
      "createdAt",
    ],
    properties: {
      messageId: { type: "string" },
      channel: { $ref: "Channel#" },
      type: { type: "string" },
      status: { $ref: "MessageStatus#" },
      reason: { type: ["string", "null"] },
      merchantId: { type: "string" },
      to: { type: "string" },
      subject: { type: ["string", "null"] },
      excerpt: { type: "string" },
      createdAt: { type: "string", format: "date-time" },
    },
  },
  MessagePage: {
    $id: "MessagePage",
    type: "object",
    required: ["messages", "next", "lookedBackTo", "followedUntil", "isComplete"],
    properties: {
      messages: { type: "array", items: { $ref: "MessageRow#" } },
      next: { type: ["string", "null"] },
      lookedBackTo: { type: ["string", "null"], format: "date-time" },
      followedUntil: { type: ["string", "null"], format: "date-time" },
      isComplete: { type: "boolean" },
    },
  },
  MessageChanges: {
    $id: "MessageChanges",
    type: "object",
    required: ["messages", "gone", "more"],
    properties: {
      messages: { type: "array", items: { $ref: "MessageRow#" } },
      gone: { type: "array", items: { type: "string" } },
      more: { type: "integer", format: "int32", minimum: 0 },
    },
  },
  RequestView: {
    $id: "RequestView",
    type: "object",
    required: [
      "requestId",
      "at",
      "operationId",
      "method",
      "path",
      "status",
      "code",
      "detail",
      "faults",
      "milliseconds",
      "merchantId",
    ],
    properties: {
      requestId: { type: "string" },
      at: { type: "string", format: "date-time" },
      operationId: { type: "string" },
      method: { type: "string" },
      path: { type: "string" },
      status: { type: "integer", format: "int32" },
      code: { type: ["string", "null"] },
      detail: { type: ["string", "null"] },
      faults: { type: "array", items: { $ref: "RequestFault#" } },
      milliseconds: { type: "number", format: "double", minimum: 0 },
      merchantId: { type: ["string", "null"] },
    },
  },
  RequestFault: {
    $id: "RequestFault",
    type: "object",
    required: ["pointer", "code", "detail"],
    properties: { pointer: { type: "string" }, code: { type: "string" }, detail: { type: "string" } },
  },
};

/** Path and query values of each operation as object schemas; neither where any value is taken. */
export const parameterSchemas: Record<OperationId, { path?: object; query?: object }> = {
  getSession: { query: { type: "object", properties: {}, required: [], additionalProperties: false } },
  searchMessages: {
    query: {
      type: "object",
      properties: {
        q: { type: "string", default: "", maxLength: 500 },
        cursor: { type: "string", pattern: "^[\\w.:-]*$", minLength: 1, maxLength: 128 },
        limit: { type: "integer", format: "int32", default: 50, minimum: 1, maximum: 200 },
      },
      required: [],
      additionalProperties: false,
    },
  },
  followMessages: {
    query: {
      type: "object",
      properties: { q: { type: "string", default: "", maxLength: 500 } },
      required: [],
      additionalProperties: false,
    },
  },
  listRequests: {
    query: {
      type: "object",
      properties: { outcome: { $ref: "RequestOutcome#" } },
      required: [],
      additionalProperties: false,
    },
  },
};
