import { operations, problems } from "@msgctl/contract";
import type { ProviderFaultKind } from "../../dispatch/providers/simulated-behaviours.ts";
import type { FieldFault } from "../../rules/refusal.ts";
import type { PlannedFault } from "../planned-faults.ts";
import type { ControlScope } from "./control-scope.ts";

const providerFaults: Readonly<Record<ProviderFaultKind, true>> = {
  timeout: true,
  lost_answer: true,
  server_error: true,
  rate_limit: true,
  lost_receipts: true,
  late_receipts: true,
  duplicate_receipts: true,
};

const schema = {
  type: "object",
  required: [],
  properties: {
    operation: { type: "string", enum: Object.keys(operations) },
    code: { type: "string", enum: Object.keys(problems) },
    latencyMs: { type: "integer", minimum: 1, maximum: 60_000 },
    provider: { type: "string", enum: Object.keys(providerFaults) },
    times: { type: "integer", minimum: 1, maximum: 1_000_000 },
  },
  additionalProperties: false,
};

type FaultRequest = { operation?: string; code?: string; latencyMs?: number; provider?: string; times?: number };

/**
 * `POST /faults` plans failures: `{ "operation": "sendSms", "code": "rate_limited", "latencyMs": 200, "times": 3 }` of
 * an operation (code, latencyMs or both), or `{ "provider": "timeout", "times": 3 }` of the provider; `times` defaults
 * to 1. `GET /faults` lists the pending ones, and `DELETE /faults` cancels them.
 */
export function addFaultRoutes({ scope, control: { faults }, createCheck }: ControlScope): void {
  const check = createCheck(schema, "", findFaults);
  scope.get("/faults", async () => faults.list());
  scope.post("/faults", async ({ body }) => {
    check(body);
    const { times = 1, ...planned } = body as FaultRequest;
    faults.add(toFault(planned), times);
    return faults.list();
  });
  scope.delete("/faults", async (_request, reply) => {
    faults.clear();
    reply.code(204);
  });
}

function toFault({ operation, code, latencyMs, provider }: FaultRequest): PlannedFault {
  // already checked against the schema, which allows exactly the values of these types
  return provider === undefined
    ? ({ operation, code: code ?? null, latencyMs: latencyMs ?? 0 } as PlannedFault)
    : ({ provider } as PlannedFault);
}

function findFaults(body: unknown): FieldFault[] {
  const { operation, code, latencyMs, provider } = Object(body) as Record<keyof FaultRequest, unknown>;
  if ((operation === undefined) === (provider === undefined)) {
    return [{ pointer: "", code: "invalid", detail: "Expected either operation or provider." }];
  }
  if (provider !== undefined) {
    return ["code", "latencyMs"]
      .filter((name) => Object.hasOwn(Object(body), name))
      .map((name) => ({ pointer: `/${name}`, code: "not_allowed", detail: "Goes with operation, not with provider." }));
  }
  if (code === undefined && latencyMs === undefined) {
    return [{ pointer: "", code: "invalid", detail: "Expected code, latencyMs or both: what is the operation to do?" }];
  }
  return findUndocumented(operation, code);
}

/** Finds a code that the contract does not document for the operation: no client may see one. */
function findUndocumented(operation: unknown, code: unknown): FieldFault[] {
  if (typeof operation !== "string" || typeof code !== "string" || !Object.hasOwn(operations, operation)) return [];
  const documented = Object.values(operations[operation as keyof typeof operations].errors).flat() as string[];
  if (documented.includes(code) || !Object.hasOwn(problems, code)) return [];
  const detail = `Expected a code that ${operation} has in the contract: ${documented.join(", ")}; received "${code}".`;
  return [{ pointer: "/code", code: "not_allowed", detail }];
}
