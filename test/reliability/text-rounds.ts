// Kills a server that submits texts of one and three parts to a carrier. The carrier reports each text as
// delivered, but cannot be asked whether it accepted a text.

import { type CarrierResult, type CountingCarrier, runKillRounds } from "./carrier-rounds.ts";
import { DeliveringSmsc } from "./delivering-smsc.ts";
import type { Sending } from "./persistent-load.ts";

/** Longer than two parts of 153 characters, so it is sent in three parts. */
const LONG_TEXT = "Your order has been sent. ".repeat(15);

export const texts: Sending = {
  path: "messages/sms",
  recipient: (serial) => `+1202${5_550_000 + serial}`,
  body: (to, serial) => ({ merchantId: "first", to, message: serial % 3 === 0 ? LONG_TEXT : "42", type: "OTP" }),
};

export function runTextRounds(rounds: number): Promise<CarrierResult> {
  return runKillRounds(rounds, texts, () => openSmsc({ tellsEnds: true }));
}

/**
 * Opens the SMSC. `tellsEnds` is false in rounds that return the database to an older state: outcomes that the SMSC had
 * reported are then lost, and the SMSC does not report them again.
 */
export async function openSmsc({ tellsEnds }: { tellsEnds: boolean }): Promise<CountingCarrier> {
  const smsc = await DeliveringSmsc.open();
  return {
    channel: "SMS",
    settings: smsc.settings,
    tellsEnds,
    countTaken: () => smsc.taken,
    close: () => smsc.close(),
  };
}
