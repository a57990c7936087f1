// A process that runs the ranges of seeds that it is sent.

import { Database } from "../world/database.ts";
import { type Range, runSeeds } from "./run-seeds.ts";

// worlds make errors by the thousand, and nobody reads where
Error.stackTraceLimit = 0;

const database = await Database.create();

process.on("message", async (range: Range) => {
  process.send?.({ range, tally: await runSeeds(range, database) });
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
