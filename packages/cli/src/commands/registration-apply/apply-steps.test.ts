import { ValidationError } from "@msgctl/sdk";
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { CliError } from "../../failures/errors.ts";
import type { ExitCode } from "../../process/exit-codes.ts";
import { writeCampaignFields } from "../../testing/campaign-fields.ts";
import { loadRecords } from "./apply-context.ts";
import { type Applied, applySteps, type Request, type StepResult, stepFailure } from "./apply-steps.ts";
import { readMarked } from "./marked-document.ts";
import { planRegistration } from "./plan.ts";
import { NOTHING_PRESENT, type Present, type View } from "./present.ts";
import { readWanted } from "./wanted.ts";

const records = await loadRecords(catalog);

const FILE = `merchantId: m1
brand:
  legalBusinessName: Acme
campaign:
  campaignReference: c1
  useCase: MIXED
${writeCampaignFields("  ")}
  subUseCases: [MARKETING]
numbers:
  - phoneNumber: +12025550142
    campaign: c1
`;

async function planOf(file: string, present: Present = NOTHING_PRESENT) {
  const marked = await readMarked(file);
  if (!marked.ok) throw new Error("no YAML");
  const read = readWanted(marked.root, records);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const planned = planRegistration(read.wanted, present, records, { sendsHidden: false });
  if (!planned.ok) throw new Error(JSON.stringify(planned.faults));
  return planned.plan;
}

/** A service that stores its writes, and returns ids that a double cannot hold. */
function serviceThat(fail: (request: Request, count: number) => void = () => {}) {
  const requests: Request[] = [];
  const present: Record<"brands" | "campaigns" | "numbers", View[]> = { brands: [], campaigns: [], numbers: [] };
  const list = { registerBrand: present.brands, registerCampaign: present.campaigns, registerNumber: present.numbers };
  const send = async (request: Request): Promise<View> => {
    requests.push(request);
    fail(request, requests.length);
    const { operationId } = request.record;
    const body = request.request.body ?? {};
    const updatedAt = `t${requests.length}`;
    if (operationId === "assignNumber") {
      const assigned = { ...present.numbers[0], id: 9n, ...body, assignmentStatus: "PENDING_ASSIGNMENT", updatedAt };
      present.numbers[0] = assigned;
      return assigned;
    }
    const views = list[operationId as keyof typeof list];
    const id = 2n ** 53n + BigInt(requests.length);
    const view = { id, brandId: present.brands[0]?.id, provider: "own", providerBrandId: null, ...body, updatedAt };
    const assignment = { campaignId: null, assignmentStatus: "UNASSIGNED", reviewFailureCode: null };
    views.unshift({ ...assignment, ...view });
    return { ...assignment, ...view };
  };
  return { requests, send, present: () => ({ ...NOTHING_PRESENT, ...present }) };
}

type Service = ReturnType<typeof serviceThat>;

async function apply(service: Service, file = FILE, signal = new AbortController().signal) {
  const told: StepResult[] = [];
  const sending = { send: service.send, onDone: (result: StepResult) => void told.push(result), signal };
  const plan = await planOf(file, service.present());
  return { ...(await applySteps(plan, records, sending)), told };
}

const outcomes = ({ results }: Applied) => results.map(({ step, outcome }) => `${step.kind} ${outcome}`);

describe("the steps of a plan", () => {
  it("are done in order, with the ids that earlier steps returned", async () => {
    const service = serviceThat();
    const applied = await apply(service);
    expect(outcomes(applied)).toEqual(["brand done", "campaign done", "number done", "assignment done"]);
    expect(applied.told).toEqual(applied.results);
    const last = service.requests.at(-1)?.request;
    expect(last?.path).toEqual({ merchantId: "m1", numberId: 2n ** 53n + 3n });
    expect(last?.body).toEqual({ campaignId: 2n ** 53n + 2n });
  });

  it.each([1, 2, 3, 4])("continue a run that ended at request %i, until nothing is left to do", async (end) => {
    const lost = new CliError(6, "connection_failed", "no answer");
    let isLost = true;
    const service = serviceThat((_, count) => {
      if (count === end && isLost) throw lost;
    });
    const first = await apply(service);
    expect(first.failure?.error).toBe(lost);
    isLost = false;
    const second = await apply(service);
    expect(second.failure).toBeUndefined();
    expect(service.requests).toHaveLength(5);
    // the lost request is repeated with the same key
    expect(service.requests[end]?.idempotencyKey).toBe(service.requests[end - 1]?.idempotencyKey);
    expect(new Set(service.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(4);
    const third = await apply(service);
    expect(outcomes(third)).toEqual(["brand kept", "campaign kept", "number kept", "assignment kept"]);
  });

  it("use a new key if the same change is applied to a different state", async () => {
    const key = async (city: string, updatedAt: string) => {
      const service = serviceThat();
      const brand = { id: 1, provider: "own", providerBrandId: null, legalBusinessName: "Acme", city: "X", updatedAt };
      const file = `merchantId: m1\nbrand: {legalBusinessName: Acme, city: ${city}}`;
      const sending = { ...service, onDone: () => {}, signal: new AbortController().signal };
      await applySteps(await planOf(file, { ...NOTHING_PRESENT, brands: [brand] }), records, sending);
      return service.requests[0]?.idempotencyKey;
    };
    const keys = [await key("Oslo", "t1"), await key("Oslo", "t2"), await key("Bergen", "t1")];
    expect(new Set(keys).size).toBe(3);
    expect(await key("Oslo", "t1")).toBe(keys[0]);
    for (const made of keys) expect(made).toMatch(/^apply-[0-9a-f]{40}$/);
  });

  it("are not started after the user has interrupted", async () => {
    const service = serviceThat();
    const applied = await apply(service, FILE, AbortSignal.abort());
    expect(service.requests).toEqual([]);
    expect(outcomes(applied)).toEqual(["brand failed", "campaign left", "number left", "assignment left"]);
    expect(stepFailure(applied)).toMatchObject({ exitCode: 130 });
  });
});

describe("a failure", () => {
  const problem = new ValidationError("no", {
    status: 400,
    code: "validation_error",
    errors: [
      { pointer: "/subUseCases", code: "too_few", detail: "Expected 2 to 5." },
      { pointer: "/sampleMessages/0", code: "too_short", detail: "Expected more." },
      { pointer: "/path/merchantId", code: "pattern", detail: "Expected another." },
    ],
  } as ConstructorParameters<typeof ValidationError>[1]);
  const failing = (exitCode: ExitCode) =>
    new CliError(exitCode, "refused", "The body is not valid.", {
      ...{ cause: problem, idempotencyKey: "k", status: 400 },
      hints: ["Correct it.", "Repeat it with --idempotency-key k."],
    });

  it.each<[string, number, ExitCode, ExitCode]>([
    ["a refusal of the first step", 1, 4, 4],
    ["a refusal after completed steps", 2, 4, 8],
    ["a lost connection after completed steps", 2, 6, 6],
    ["a revoked credential after completed steps", 2, 3, 3],
    ["a failing service after completed steps", 3, 5, 5],
  ])("%s has its exit code", async (_, at, exitCode, expected) => {
    const service = serviceThat((_request, count) => {
      if (count === at) throw failing(exitCode);
    });
    expect(stepFailure(await apply(service))).toMatchObject({ exitCode: expected });
  });

  it("names the step, its fields in the file, the completed steps and how to resume", async () => {
    const service = serviceThat((_, count) => {
      if (count === 2) throw failing(4);
    });
    const error = stepFailure(await apply(service));
    expect(error).toMatchObject({
      message: "campaign (line 4), campaign c1: The body is not valid.",
      details: {
        status: 400,
        faults: [
          { where: "campaign.subUseCases (line 16)", message: "Expected 2 to 5." },
          { where: "campaign.sampleMessages[0] (line 9)", message: "Expected more." },
          { where: "/path/merchantId", message: "Expected another." },
        ],
        hints: [
          "Correct it.",
          "Done: brand Acme; left: number +12025550142, assign +12025550142 to c1.",
          "Run the same command again: it continues with the remaining steps, and repeats nothing.",
        ],
      },
    });
    expect((error as CliError).details).not.toHaveProperty("idempotencyKey");
  });

  it("caused by a bug in msgctl is rethrown unchanged", async () => {
    const service = serviceThat(() => {
      throw new TypeError("slip");
    });
    expect(stepFailure(await apply(service))).toBeInstanceOf(TypeError);
  });
});
