/** Measures the built mocks, and msw's handlers for comparison. Runs in Node without a loader. */
import { readFileSync } from "node:fs";
import { createMockService, type MockService } from "@msgctl/mocks";
import { HttpResponse, http, type RequestHandler } from "msw";
import { setupServer } from "msw/node";
import type { Measured, MeasurePlan, Rate } from "./section.ts";

const CONNECTIONS = 50;
const EMPTY = "https://empty.example/api/v1/messages/sms";
const GENERATED = "https://generated.example";
const seed = {
  merchants: [{ merchantId: "shop", displayName: "Shop", smsLimit: 2_000_000_000 }],
  consents: [{ merchantId: "shop", channel: "SMS", contact: "+12025550100", status: "OPT_IN" }],
} as const;
const sms = JSON.stringify({ merchantId: "shop", to: "+12025550100", message: "Hello", type: "TRANSACTIONAL" });

type Call = () => Promise<Response>;

interface Way {
  readonly name: string;
  readonly server?: ReturnType<typeof setupServer>;
  readonly call: Call;
}

const plan = JSON.parse(process.argv[2] ?? "{}") as MeasurePlan;
const service = await createMockService({ seed: null });
try {
  const resetMs = await measureResets(plan.resets);
  const rates = await measureRates(await ways());
  process.stdout.write(JSON.stringify({ resetMs, rates } satisfies Measured));
} finally {
  await service.close();
}

async function ways(): Promise<Way[]> {
  const { apiKey, apiSecret, baseUrl } = service;
  const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
  const viaMsw = (url: string) => sendVia((init) => fetch(url, init));
  const path = "/api/v1/messages/sms";
  const own: Way[] = [
    { name: "service.fetch, sends", call: sendVia((init) => service.fetch(`${baseUrl}${path}`, init)) },
    { name: "service.fetch, reads", call: () => service.fetch(`${baseUrl}/api/v1/merchants`, { headers }) },
    { name: "msw, sends", server: setupServer(...service.handlers), call: viaMsw(`${baseUrl}${path}`) },
    { name: "msw, an empty handler", server: setupServer(http.post(EMPTY, answer)), call: viaMsw(EMPTY) },
  ];
  const generated = await generatedHandlers();
  if (generated === undefined) return own;
  return [...own, { name: "@mswjs/source", server: setupServer(...generated), call: viaMsw(`${GENERATED}${path}`) }];
}

function answer(): Response {
  return HttpResponse.json({ messageId: "msg_1", status: "QUEUED" });
}

/** Returns undefined if @mswjs/source could not be installed. */
async function generatedHandlers(): Promise<RequestHandler[] | undefined> {
  if (plan.generatedFrom === undefined) return undefined;
  // typed as a string, because the compiler does not know this package, which only the bench installs
  const specifier: string = "@mswjs/source/open-api";
  const { fromOpenApi } = (await import(specifier)) as { fromOpenApi(document: string): Promise<RequestHandler[]> };
  const document = readFileSync(plan.generatedFrom, "utf8").replaceAll(/^ {2}- url: .*$/gm, `  - url: ${GENERATED}`);
  return fromOpenApi(document);
}

/** Median time to reset a mock service after a test, in milliseconds. */
async function measureResets(count: number): Promise<number> {
  const send = sendVia((init) => service.fetch(`${service.baseUrl}/api/v1/messages/sms`, init));
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await service.seed(seed);
    await requireOk(send);
    const start = performance.now();
    await service.reset();
    await service.seed();
    times.push(performance.now() - start);
  }
  return median(times);
}

async function measureRates(measured: readonly Way[]): Promise<Record<string, Rate>> {
  const rates = new Map<string, Rate[]>(measured.map(({ name }) => [name, []]));
  for (let round = -1; round < plan.rounds; round += 1) {
    for (const { name, server, call } of measured) {
      await service.reset();
      await service.seed(seed);
      server?.listen({ onUnhandledRequest: "error" });
      const rate = await measureRate(call, plan.roundMs);
      server?.close();
      // the first round warms up
      if (round >= 0) rates.get(name)?.push(rate);
    }
  }
  const of = (each: readonly Rate[], figure: keyof Rate) => median(each.map((rate) => rate[figure]));
  return Object.fromEntries(
    [...rates].map(([name, each]) => [name, { perSecond: of(each, "perSecond"), cpuMicros: of(each, "cpuMicros") }]),
  );
}

function sendVia(fetch: (init: RequestInit) => Promise<Response>): Call {
  const { apiKey, apiSecret }: MockService = service;
  const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret, "content-type": "application/json" };
  return () => fetch({ method: "POST", headers, body: sms });
}

/** Measures calls whose replies are read to the end. */
async function measureRate(call: Call, forMs: number): Promise<Rate> {
  let calls = 0;
  const start = performance.now();
  const cpu = process.cpuUsage();
  const loop = async () => {
    while (performance.now() - start < forMs) {
      await requireOk(call);
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (1_000 * calls) / (performance.now() - start), cpuMicros: (user + system) / calls };
}

async function requireOk(call: Call): Promise<void> {
  const response = await call();
  const text = await response.text();
  if (response.status !== 200) throw new Error(`a call was answered with ${response.status}: ${text}`);
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}
