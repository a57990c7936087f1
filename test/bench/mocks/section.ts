/** `npm run bench -- mocks`: what a mock costs a test, and what msw makes of it. */
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { createMockService, type MockService } from "../../../packages/mocks/src/index.ts";
import { type SectionOutput, tableLines } from "../section-output.ts";

export interface MocksPlan {
  readonly resets: number;
  readonly rounds: number;
  readonly roundMs: number;
}

const CONNECTIONS = 50;
const EMPTY = "https://empty.example/api/v1/messages/sms";
const seed = {
  merchants: [{ merchantId: "shop", displayName: "Shop", smsLimit: 2_000_000_000 }],
  consents: [{ merchantId: "shop", channel: "SMS", contact: "+12025550100", status: "OPT_IN" }],
} as const;
const sms = JSON.stringify({ merchantId: "shop", to: "+12025550100", message: "Hello", type: "TRANSACTIONAL" });

type Call = () => Promise<Response>;

export async function benchMocks(plan: MocksPlan, { print, printGoal }: SectionOutput): Promise<void> {
  const service = await createMockService({ seed: null });
  try {
    const resetMs = await measureResets(service, plan.resets);
    print(
      `\nMocks: the service in this process, ${CONNECTIONS} calls at once, ${plan.rounds} × ${plan.roundMs} ms each in turns, median\n`,
    );
    const rates = await measureRates(service, plan);
    const rows = [...rates].map(([name, rate]) => [name, rate.perSecond.toFixed(0), rate.cpuMicros.toFixed(0)]);
    for (const line of tableLines(["way", "calls/s", "CPU µs/call"], rows)) print(line);
    print("");
    const rate = (name: string) => rates.get(name)?.perSecond ?? Number.NaN;
    const direct = rate("service.fetch, sends");
    const share = (100 * rate("msw, sends")) / rate("msw, an empty handler");
    printGoal("reset + seed", `${resetMs.toFixed(2)} ms`, "≤ 5 ms", resetMs <= 5);
    printGoal("service.fetch", `${direct.toFixed(0)} /s`, "≥ 8000 /s", direct >= 8_000);
    printGoal("msw / empty", `${share.toFixed(1)} %`, "≥ 50 %", share >= 50);
  } finally {
    await service.close();
  }
}

/** Milliseconds, the median: of a service that a test has used. */
async function measureResets(service: MockService, count: number): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    await service.seed(seed);
    await requireOk(sendVia(service.fetch, service));
    const start = performance.now();
    await service.reset();
    await service.seed();
    times.push(performance.now() - start);
  }
  return median(times);
}

async function measureRates(service: MockService, { rounds, roundMs }: MocksPlan): Promise<Map<string, Rate>> {
  const stateful = setupServer(...service.handlers);
  const empty = setupServer(http.post(EMPTY, () => HttpResponse.json({ messageId: "msg_1", status: "QUEUED" })));
  const headers = { "x-api-key": service.apiKey, "x-api-secret": service.apiSecret };
  const list = `${service.baseUrl}/api/v1/merchants`;
  const ways: { name: string; server?: ReturnType<typeof setupServer>; call: Call }[] = [
    { name: "service.fetch, sends", call: sendVia(service.fetch, service) },
    { name: "service.fetch, reads", call: () => service.fetch(list, { headers }) },
    { name: "msw, an empty handler", server: empty, call: sendVia((_url, init) => fetch(EMPTY, init), service) },
    { name: "msw, sends", server: stateful, call: sendVia((url, init) => fetch(url, init), service) },
  ];
  const rates = new Map<string, Rate[]>(ways.map(({ name }) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const { name, server, call } of ways) {
      await service.reset();
      await service.seed(seed);
      server?.listen({ onUnhandledRequest: "error" });
      const rate = await measureRate(call, roundMs);
      server?.close();
      // the first round warms up
      if (round >= 0) rates.get(name)?.push(rate);
    }
  }
  const of = (each: readonly Rate[], figure: keyof Rate) => median(each.map((rate) => rate[figure]));
  return new Map(
    [...rates].map(([name, each]) => [name, { perSecond: of(each, "perSecond"), cpuMicros: of(each, "cpuMicros") }]),
  );
}

function sendVia(fetch: MockService["fetch"], { baseUrl, apiKey, apiSecret }: MockService): Call {
  const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret, "content-type": "application/json" };
  return () => fetch(`${baseUrl}/api/v1/messages/sms`, { method: "POST", headers, body: sms });
}

interface Rate {
  readonly perSecond: number;
  /** Of this process, a call: what a machine that is busy otherwise changes least. */
  readonly cpuMicros: number;
}

/** Of calls whose replies are read to the end. */
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
