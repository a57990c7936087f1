// Many calls at once: accepted in batches, and begun on one morning.

import { setTimeout as sleep } from "node:timers/promises";
import { findZone } from "../../zones.ts";
import { hasRow, useDatabase } from "../data-folder.ts";
import type { Stress } from "./measure.ts";
import { type Headers, startProbed, type World } from "./world.ts";

/** Maximum number of calls in one batch. */
const LARGEST_BATCH = 10_000;
const LOOK_MS = 500;
/** Time limit for a morning. The server begins all its calls in less. */
const LONGEST_MORNING_MS = 600_000;

/** Accepts `batches` batches of 10 000 calls one after the other. Their calls begin at once. */
export function acceptBatches({ batches }: { batches: number }): Stress {
  return {
    name: `a batch of ${LARGEST_BATCH} accepted, ${batches} times`,
    prepare: async () => undefined,
    async run({ crowd }, { port }) {
      for (let batch = 0; batch < batches; batch += 1) {
        await submit(port, crowd, { first: batch * LARGEST_BATCH, count: LARGEST_BATCH, useCase: "OTP" });
      }
    },
  };
}

/** Begins `calls` calls that were scheduled for a morning. Ends when all of them have ended. */
export function beginMorning({ calls }: { calls: number }): Stress {
  return {
    name: `${calls} calls that begin on one morning`,
    async prepare(world, leadMs) {
      const server = await startProbed(world);
      const zone = findZone(Date.now(), (hour) => hour < 6);
      for (let first = 0; first < calls; first += LARGEST_BATCH) {
        const count = Math.min(LARGEST_BATCH, calls - first);
        await submit(server.port, world.crowd, { first, count, useCase: "MARKETING", customerTimezone: zone });
      }
      await server.stop();
      const dueAt = Date.now() + leadMs;
      moveMorning(world, calls, dueAt);
      return dueAt;
    },
    async run({ data }) {
      const giveUpAt = performance.now() + LONGEST_MORNING_MS;
      while (hasRow(data, "SELECT 1 FROM tts_calls WHERE completed_at IS NULL")) {
        if (performance.now() > giveUpAt)
          throw new Error(`calls are open ${LONGEST_MORNING_MS / 1_000} s after the morning came`);
        await sleep(LOOK_MS);
      }
    },
  };
}

async function submit(
  port: number,
  headers: Headers,
  batch: { first: number; count: number; useCase: string; customerTimezone?: string },
): Promise<void> {
  const { first, count, ...terms } = batch;
  const toNumbers = Array.from({ length: count }, (_, index) => `+1202${2_000_000 + first + index}`);
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1/voice/tts-calls`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ merchantId: "bench", messageText: "Good morning.", toNumbers, ...terms }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`the batch was refused: ${text.slice(0, 500)}`);
}

/** Reschedules the calls to `dueAt`, in a time zone where it is day then. */
function moveMorning({ data }: World, calls: number, dueAt: number): void {
  const zone = findZone(dueAt, (hour) => hour >= 9 && hour < 20);
  useDatabase(data, (database) => {
    const changed = (sql: string) => database.prepare(sql).run({ dueAt, zone }).changes;
    const moved = changed(
      "UPDATE tts_calls SET scheduled_at = $dueAt, execution_timezone = $zone WHERE status = 'SCHEDULED'",
    );
    if (moved !== calls) throw new Error(`of ${calls} calls ${moved} wait for the morning`);
    const batches = changed(
      "UPDATE tts_batches SET scheduled_at = $dueAt, customer_timezone = $zone WHERE scheduled_at IS NOT NULL",
    );
    const jobs = changed(
      `UPDATE jobs SET due_at = $dueAt, subject = json_set(subject, '$.scheduledAt', $dueAt)
        WHERE kind = 'calls.begin' AND json_extract(subject, '$.scheduledAt') IS NOT NULL`,
    );
    if (jobs < batches) throw new Error(`of ${batches} batches ${jobs} have a job that begins their calls`);
  });
}
