// One-time passwords of one tenant during the dispatch of another's campaign.

import { setTimeout as sleep } from "node:timers/promises";
import { hasRow, inDataFolder, useDatabase } from "./data-folder.ts";
import { accept, openOn } from "./dispatch.ts";
import { loadFrom } from "./process.ts";
import { planOfTexts, prepareTenant, startMsgd } from "./sends.ts";

/** One-time passwords per second. */
const PACE = 20;
const SECONDS = 10;

/** Longest time from accepting a one-time password to submitting it, beside `messages` queued messages, in milliseconds. */
export async function measureBesideCampaign(messages: number): Promise<number> {
  return inDataFolder(async (folder) => {
    const headers = await prepareTenant(folder);
    const service = await openOn(folder);
    await accept(service.store, messages, "TRANSACTIONAL");
    await service.close();
    const server = await startMsgd(folder);
    await loadFrom(planOfTexts(server, headers, { connections: 2, pace: PACE, seconds: SECONDS }));
    await sleep(1_000);
    if (!hasRow(folder, "SELECT 1 FROM messages WHERE type = 'TRANSACTIONAL' AND status = 'QUEUED' LIMIT 1")) {
      throw new Error(`a campaign of ${messages} was over before the one-time passwords were sent`);
    }
    await server.stop();
    return readLongestWait(folder);
  });
}

function readLongestWait(folder: string): number {
  const statement = `
    SELECT MAX(COALESCE(taken_at, $now) - created_at) AS longest, COUNT(*) AS count FROM messages WHERE type = 'OTP'`;
  const { longest, count } = useDatabase(
    folder,
    (database) => database.prepare(statement).get({ now: Date.now() }) as { longest: number; count: number },
    { readonly: true },
  );
  if (count < (PACE * SECONDS) / 2) throw new Error(`only ${count} one-time passwords were accepted`);
  return longest;
}
