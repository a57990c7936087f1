export { type CheckedReply, type CheckedRequest, createContractCheck } from "./contract-check/reply-check.ts";
export { createSchemaCheck } from "./contract-check/schema-check.ts";
