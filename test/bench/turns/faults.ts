// Bodies as large as one may be, of nothing but faults.

import type { Stress } from "./measure.ts";
import { discardBody } from "./world.ts";

/** Just under the bound on bodies, so that they are read. */
const BODY_BYTES = 2 * 1_024 * 1_024 - 1_024;

const around = { merchantId: "bench", messageText: "Your code is 481516.", useCase: "OTP" };

/** Items of the wrong kind, and members that nobody knows. */
const bodies = [fill('"toNumbers":[', "0,", "0]"), fill("", '"?":0,', '"?":0')];

/** A body in which `piece` is repeated until it is full. A `?` becomes a number, another each time. */
function fill(open: string, piece: string, close: string): string {
  const start = `${JSON.stringify(around).slice(0, -1)},${open}`;
  const pieces: string[] = [];
  for (let bytes = start.length; bytes < BODY_BYTES; bytes += pieces.at(-1)?.length ?? 0) {
    pieces.push(piece.replace("?", `m${pieces.length}`));
  }
  return `${start}${pieces.join("")}${close.replace("?", "last")}}`;
}

/** `atOnce` requests at once, each with a body of 2 MiB; again until `windowMs` are over. */
export function sendFaults({ atOnce, windowMs }: { atOnce: number; windowMs: number }): Stress {
  return {
    name: `2 MiB of faults, ${atOnce} at once`,
    prepare: async () => undefined,
    async run({ crowd }, { port }) {
      const send = async (body: string) => {
        const headers = { ...crowd, "content-type": "application/json" };
        const reply = await fetch(`http://127.0.0.1:${port}/api/v1/voice/tts-calls`, { method: "POST", headers, body });
        await discardBody(reply);
        if (reply.status !== 400) throw new Error(`faults were answered with ${reply.status}`);
      };
      const end = performance.now() + windowMs;
      do await Promise.all(Array.from({ length: atOnce }, (_, index) => send(bodies[index % 2] as string)));
      while (performance.now() < end);
    },
  };
}
