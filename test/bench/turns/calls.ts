// Many calls at once: accepted in batches, and begun in a morning.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { findZone } from "../../zones.ts";
import type { Stress } from "./measure.ts";
import { type Headers, startProbed, type World } from "./world.ts";

/** The most numbers of one batch. */
const LARGEST_BATCH = 10_000;
const LOOK_MS = 500;
/** A morning that takes longer is measured up to here. */
const LONGEST_MORNING_MS = 120_000;

/** `batches` of 10 000 calls, one after the other, which begin at once. */
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

/** `calls` that were put off in the night, and whose morning comes; over when all of them are. */
export function beginMorning({ calls }: { calls: number }): Stress {
  return {
    name: `${calls} calls whose morning comes`,
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
    async run(world) {
      const giveUpAt = performance.now() + LONGEST_MORNING_MS;
      while (isOpen(world) && performance.now() < giveUpAt) await sleep(LOOK_MS);
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

/** Has the morning come at `dueAt`, in a zone where it is day. */
function moveMorning({ data }: World, calls: number, dueAt: number): void {
  const database = new BetterSqlite3(join(data, "msgd.db"));
  try {
    const moved = database
      .prepare("UPDATE tts_calls SET scheduled_at = ?, execution_timezone = ? WHERE status = 'SCHEDULED'")
      .run(
        dueAt,
        findZone(dueAt, (hour) => hour >= 9 && hour < 20),
      );
    if (moved.changes !== calls) throw new Error(`of ${calls} calls ${moved.changes} wait for the morning`);
    database.prepare("UPDATE tts_batches SET scheduled_at = ? WHERE scheduled_at IS NOT NULL").run(dueAt);
    database
      .prepare(
        `UPDATE jobs SET due_at = $dueAt, subject = json_set(subject, '$.scheduledAt', $dueAt)
          WHERE kind = 'calls.begin' AND json_extract(subject, '$.scheduledAt') IS NOT NULL`,
      )
      .run({ dueAt });
  } finally {
    database.close();
  }
}

/** Whether a call is not over yet. */
function isOpen({ data }: World): boolean {
  const database = new BetterSqlite3(join(data, "msgd.db"), { readonly: true, timeout: 5_000 });
  try {
    return database.prepare("SELECT 1 FROM tts_calls WHERE completed_at IS NULL LIMIT 1").get() !== undefined;
  } finally {
    database.close();
  }
}
