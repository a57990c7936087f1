// An SMSC that takes every text after a moment, and repeats a delivery receipt for each part until it is acknowledged. It sends
// the receipt before or after the answer to the submission, twice, or over another session.

import { setTimeout as sleep } from "node:timers/promises";
import type { PDU } from "smpp";
import { readTextPart } from "../../packages/server/src/carriers/smpp/inbound.ts";
import { type Peer, ScriptedSmsc } from "../../packages/server/src/testing/scripted-smsc.ts";
import { between } from "./between.ts";

const LONGEST_ANSWER_MS = 25;
const RETELL_MS = 2_000;

export class DeliveringSmsc {
  /** How often the SMSC took each part, by recipient. */
  readonly taken = new Map<string, number[]>();
  readonly #smsc: ScriptedSmsc;
  /** Unacknowledged receipts, by the sequence number with which they are sent. */
  readonly #unheard = new Map<number, object>();
  readonly #retelling: NodeJS.Timeout;
  #parts = 0;

  private constructor(smsc: ScriptedSmsc) {
    this.#smsc = smsc;
    smsc.onPdu = (pdu, peer) => this.#take(pdu, peer);
    this.#retelling = setInterval(() => this.#tellAll(), RETELL_MS);
  }

  static async open(): Promise<DeliveringSmsc> {
    return new DeliveringSmsc(await ScriptedSmsc.listen());
  }

  get settings(): object {
    return this.#smsc.settings();
  }

  close(): Promise<void> {
    clearInterval(this.#retelling);
    return this.#smsc.close();
  }

  #take(pdu: PDU, peer: Peer): void {
    if (pdu.command === "submit_sm") {
      this.#takePart(pdu, peer);
      return;
    }
    if (pdu.command === "deliver_sm_resp" && pdu.command_status === 0) this.#unheard.delete(pdu.sequence_number);
    peer.answer(pdu);
    if (pdu.command === "bind_transceiver") this.#tellAll();
  }

  #takePart(pdu: PDU, peer: Peer): void {
    const { to, part = { total: 1, number: 1 } } = readTextPart(pdu, { sender: "+12025550199", alphabet: "gsm7" });
    const times = this.taken.get(to) ?? Array.from({ length: part.total }, () => 0);
    times[part.number - 1] = (times[part.number - 1] ?? 0) + 1;
    this.taken.set(to, times);
    this.#parts += 1;
    const number = this.#parts;
    const said = `id:part-${number} submit date:2603011200 done date:2603011201 stat:DELIVRD err:000 text:`;
    this.#unheard.set(number, { esm_class: 4, source_addr: "1", short_message: Buffer.from(said) });
    const answer = () => peer.answer(pdu, { message_id: `part-${number}` });
    const tell = () => this.#tell(number);
    // a receipt not sent here is sent over the next session, or at the next repeat
    void inOneOf([[tell, answer], [answer, tell], [answer, tell, tell], [answer]]);
  }

  #tellAll(): void {
    for (const number of this.#unheard.keys()) this.#tell(number);
  }

  #tell(number: number): void {
    const receipt = this.#unheard.get(number);
    if (receipt !== undefined) this.#smsc.peer.send("deliver_sm", { sequence_number: number, ...receipt });
  }
}

/** Chooses one of the given sequences at random, and runs its steps, each after a random pause. */
async function inOneOf(ways: readonly (readonly (() => void)[])[]): Promise<void> {
  const way = ways[Math.floor(between(0, ways.length))] ?? [];
  for (const step of way) {
    await sleep(between(0, LONGEST_ANSWER_MS));
    step();
  }
}
