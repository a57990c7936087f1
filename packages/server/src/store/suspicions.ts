// A carrier that does not say what it was given may have been given what waits for it, by a server that this database is
// an older copy of. None of that is handed to it before it is asked; other carriers are given theirs as ever.

import { toQueueText } from "./queue/columns.ts";
import { beginUnasked, type Doubts, type RestorationStart } from "./restorations.ts";
import type { Transaction } from "./store.ts";

const messageStatus = "(SELECT status FROM messages m WHERE m.message_id = dispatches.message_id)";

// held: what another claims meanwhile is in no doubt any more once that is committed
const suspectAcceptedStatement = toQueueText(
  ({ accepted }) => `
  INSERT INTO suspected_messages (message_id, carrier)
  SELECT message_id, $1 FROM (${accepted}) AS accepted WHERE TRUE ORDER BY message_id FOR UPDATE
  ON CONFLICT (message_id, carrier) DO NOTHING`,
);

/** Notes that a carrier did not say what it was given: what waits for it is asked about before it is handed over. */
export async function beginSuspicion(
  tx: Transaction,
  carrier: string,
  { now, patienceMs }: Pick<RestorationStart, "now" | "patienceMs">,
): Promise<Doubts> {
  await tx.run(
    `INSERT INTO suspicions (carrier, suspected_at, last_request_id, last_message_id)
     SELECT $1, CAST($2 AS BIGINT), COALESCE((SELECT MAX(request_id) FROM tts_calls), 0),
            COALESCE((SELECT MAX(message_id) FROM messages), '') WHERE TRUE
     ON CONFLICT (carrier) DO UPDATE SET suspected_at = excluded.suspected_at,
       last_request_id = excluded.last_request_id, last_message_id = excluded.last_message_id`,
    carrier,
    now,
  );
  const accepted = await tx.run(suspectAcceptedStatement, carrier);
  await tx.run(
    `UPDATE messages SET status = 'SENDING', provider = $1, updated_at = $2 FROM dispatches d
      WHERE d.message_id = messages.message_id AND d.state = 'waiting' AND d.carrier = $1`,
    carrier,
    now,
  );
  // what is leased is asked about when its lease has run out, if whoever holds it does not come back; what is QUEUED was accepted
  // since, and claimed by another instance meanwhile
  const asked = await tx.run(
    `UPDATE dispatches SET state = 'reconciling', asks = 0, due_at = $2, give_up_at = $3
      WHERE ${messageStatus} = 'SENDING' AND ((state = 'waiting' AND carrier = $1)
         OR (state = 'ready' AND (SELECT provider FROM messages m WHERE m.message_id = dispatches.message_id) = $1))`,
    carrier,
    now,
    now + patienceMs,
  );
  const putOff = await tx.run(
    `INSERT INTO suspected_messages (message_id, carrier)
     SELECT message_id, $1 FROM dispatches
      WHERE state = 'ready' AND ${messageStatus} = 'QUEUED' FOR UPDATE
     ON CONFLICT (message_id, carrier) DO NOTHING`,
    carrier,
  );
  return { messages: accepted + asked + putOff, ...(await beginUnasked(tx, now)) };
}
