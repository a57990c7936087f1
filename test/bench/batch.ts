// Measures the time to accept a batch of calls to 10 000 numbers, and its effect on other requests.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { LoadResult } from "./load.ts";
import { loadFrom } from "./process.ts";
import { planOfTexts, prepareTenant, startMsgd } from "./sends.ts";

const NUMBERS = 10_000;
/** Few enough not to saturate the server, so that any delay is caused by the batch. */
const CONNECTIONS = 4;

export interface BatchFigures {
  /** Time to the reply, for each batch. */
  readonly acceptedMs: readonly number[];
  /** Results of sends without batches, and beside them. */
  readonly alone: LoadResult;
  readonly beside: LoadResult;
}

export async function measureBatches({
  batches,
  seconds,
}: {
  batches: number;
  seconds: number;
}): Promise<BatchFigures> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-batch-"));
  try {
    const headers = await prepareTenant(folder);
    const server = await startMsgd(folder);
    const plan = planOfTexts(server, headers, { connections: CONNECTIONS, seconds });
    await loadFrom(plan);
    const alone = await loadFrom(plan);
    const load = loadFrom(plan);
    const acceptedMs: number[] = [];
    for (let batch = 0; batch < batches; batch += 1) {
      await setTimeout((1_000 * seconds) / (batches + 1));
      acceptedMs.push(await submit(server.port, headers, batch));
    }
    const beside = await load;
    await server.stop();
    return { acceptedMs, alone, beside };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function submit(port: number, headers: Record<string, string>, batch: number): Promise<number> {
  const toNumbers = Array.from({ length: NUMBERS }, (_, index) => `+1202${2_000_000 + NUMBERS * batch + index}`);
  const body = JSON.stringify({ merchantId: "bench", messageText: "Your code is 481516.", useCase: "OTP", toNumbers });
  const start = performance.now();
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1/voice/tts-calls`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body,
  });
  const text = await reply.text();
  const elapsedMs = performance.now() - start;
  if (!reply.ok) throw new Error(`the batch was refused: ${text.slice(0, 500)}`);
  return elapsedMs;
}
