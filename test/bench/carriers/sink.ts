import { fork } from "node:child_process";
import { once } from "node:events";

/** A carrier in a separate process that only accepts and counts messages. */
export interface Sink {
  readonly port: number;
  countTaken(): Promise<number>;
  end(): void;
}

export async function startSink(program: "mail-sink.ts" | "text-sink.ts" | "api-sink.ts"): Promise<Sink> {
  const child = fork(new URL(program, import.meta.url), [], { execArgv: ["--import", "tsx"] });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return {
    port,
    async countTaken() {
      child.send({});
      const [{ taken }] = (await once(child, "message")) as [{ taken: number }];
      return taken;
    },
    end: () => child.disconnect(),
  };
}
