// Bodies as large as one may be, of nothing but faults.

import type { Stress } from "./measure.ts";
import { discardBody } from "./world.ts";

const around = { merchantId: "bench", messageText: "Your code is 481516.", useCase: "OTP" };

/** A body of `bytes` in which `piece` is repeated until it is full. A `?` becomes a number, another each time. */
function fill(bytes: number, [open, piece, close]: readonly [string, string, string]): string {
  const start = `${JSON.stringify(around).slice(0, -1)},${open}`;
  const pieces: string[] = [];
  // a little less, for its end
  for (let length = start.length + 100; length < bytes; length += pieces.at(-1)?.length ?? 0) {
    pieces.push(piece.replace("?", `m${pieces.length}`));
  }
  return `${start}${pieces.join("")}${close.replace("?", "last")}}`;
}

/** `atOnce` requests at once, each with a body of so many bytes, 2 MiB at most; again until `windowMs` are over. */
export function sendFaults(size: { bytes: number; atOnce: number; windowMs: number }): Stress {
  const { bytes, atOnce, windowMs } = size;
  // items of the wrong kind, and members that nobody knows
  const [items, members] = [fill(bytes, ['"toNumbers":[', "0,", "0]"]), fill(bytes, ["", '"?":0,', '"?":0'])];
  return {
    name: `${bytes / 1_024} KiB of faults, ${atOnce} at once`,
    prepare: async () => undefined,
    async run({ crowd }, { port }) {
      const send = async (body: string) => {
        const headers = { ...crowd, "content-type": "application/json" };
        const reply = await fetch(`http://127.0.0.1:${port}/api/v1/voice/tts-calls`, { method: "POST", headers, body });
        await discardBody(reply);
        if (reply.status !== 400) throw new Error(`faults were answered with ${reply.status}`);
      };
      const end = performance.now() + windowMs;
      do await Promise.all(Array.from({ length: atOnce }, (_, index) => send(index % 2 === 0 ? items : members)));
      while (performance.now() < end);
    },
  };
}
