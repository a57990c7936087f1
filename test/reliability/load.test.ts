// Checks the load against a server that refuses actions although it has performed them.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProblemCode, problems } from "@msgctl/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoadReport } from "./load.ts";
import { LoadProcess } from "./load-process.ts";

/** The answers to an action's tries, in order; the last one is repeated. */
type Told =
  | ProblemCode
  | "unavailable, without a retry time"
  | "done"
  | "done before"
  | "no answer: the connection breaks";

const cases: readonly { told: readonly Told[]; isRefused: boolean; isDenied: boolean }[] = [
  { told: ["unavailable", "done before"], isRefused: true, isDenied: true },
  { told: ["rate_limited", "done before"], isRefused: true, isDenied: true },
  { told: ["unavailable", "rate_limited", "done before"], isRefused: true, isDenied: true },
  { told: ["request_timeout", "done before"], isRefused: true, isDenied: true },
  { told: ["unavailable", "done"], isRefused: true, isDenied: false },
  { told: ["outcome_unknown", "done before"], isRefused: false, isDenied: false },
  { told: ["idempotency_in_progress", "done before"], isRefused: false, isDenied: false },
  { told: ["no answer: the connection breaks", "done before"], isRefused: false, isDenied: false },
  { told: ["outcome_unknown", "unavailable", "done before"], isRefused: false, isDenied: false },
  { told: ["unavailable", "outcome_unknown", "done before"], isRefused: false, isDenied: false },
];
const unforeseen: readonly (readonly Told[])[] = [
  ["internal_error", "done"],
  ["unavailable, without a retry time", "done"],
];

/** The load's first actions are those of the cases, then the unexplained ones; all others succeed at once. */
const scripts = new Map([...cases.map(({ told }) => told), ...unforeseen].map((told, index) => [keyOf(index), told]));

function keyOf(index: number): string {
  return `action-${index + 1}`;
}

const tries = new Map<string, number>();
const server = createServer((request, response) => {
  const key = String(request.headers["idempotency-key"]);
  const count = tries.get(key) ?? 0;
  tries.set(key, count + 1);
  const told = scripts.get(key) ?? ["done"];
  request.resume().once("end", () => answer(response, told[count] ?? told.at(-1) ?? "done"));
});

function answer(response: ServerResponse, told: Told): void {
  if (told === "no answer: the connection breaks") {
    response.destroy();
  } else if (told === "done" || told === "done before") {
    response.setHeader("idempotent-replayed", String(told === "done before"));
    response.end("{}");
  } else {
    const code = told === "unavailable, without a retry time" ? "unavailable" : told;
    if (code === told && code !== "request_timeout") response.setHeader("retry-after", "1");
    response.statusCode = problems[code].status;
    response.end(JSON.stringify({ code, detail: "Nothing was done." }));
  }
}

describe("the load", () => {
  const folder = mkdtempSync(join(tmpdir(), "load-"));
  let load: LoadProcess | undefined;
  let report: LoadReport;
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    load = new LoadProcess({
      baseUrls: [baseUrl],
      apiKey: "",
      apiSecret: "",
      file: join(folder, "acknowledged.ndjson"),
    });
    await load.progress(scripts.size);
    report = await load.finish();
  });
  afterAll(() => {
    load?.kill();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const keysOf = (told: readonly string[]) => told.map((line) => /action-\d+/.exec(line)?.[0]);

  it.each(cases.map(({ told, isDenied }, index) => [told.join(", then "), isDenied, keyOf(index)] as const))(
    "after the answers %s, whether the action is reported as denied is %s",
    (_told, isDenied, key) => {
      expect(keysOf(report.denied).includes(key)).toBe(isDenied);
    },
  );

  it("counts refusals, and reports only these actions as denied", () => {
    expect(report.refused).toBe(cases.filter(({ isRefused }) => isRefused).length);
    expect(report.denied).toHaveLength(cases.filter(({ isDenied }) => isDenied).length);
  });

  it("reports only unexplained replies as surprises", () => {
    expect(keysOf(report.surprises).sort()).toEqual(
      unforeseen.map((_told, index) => keyOf(cases.length + index)).sort(),
    );
  });
});
