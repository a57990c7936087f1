import type { CommandEnvironment } from "../commands/environment.ts";
import { databases, openStore } from "../engines.ts";
import { type Clock, systemClock } from "../platform/clock.ts";

/** What commands have printed. */
export interface Printed {
  out: string;
  err: string;
}

/** The environment of commands on a data folder, and what they print. */
export function makeCommandEnvironment(
  data: string,
  clock: Clock = systemClock,
): { readonly environment: CommandEnvironment; readonly printed: Printed } {
  const printed = { out: "", err: "" };
  const printTo = (stream: keyof Printed) => (text: string) => {
    printed[stream] += text;
  };
  const environment = {
    env: { MSGD_DATA: data },
    output: { out: printTo("out"), err: printTo("err") },
    clock,
    openStore: (database: Parameters<CommandEnvironment["openStore"]>[0]) => openStore({ database, clock }),
    databases,
    fetch: () => Promise.reject(new Error("tests ask no other host")),
  };
  return { environment, printed };
}
