/** `msgctl mock`: prints how to start the mock, which is a separate package. */

import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";

/** Every command in this text can be pasted into a shell. */
const WAYS = `The whole service in memory: consent, quotas, delivery, callbacks, a clock that can be moved.

  npx @msgctl/mocks stateful --port 4010

The examples of the contract, without state, by Prism:

  npx --package @msgctl/mocks --package @stoplight/prism-cli msgctl-mock prism --port 4010

Each prints its address, commands to try and how to reset it between tests. Press Ctrl-C to stop it.`;

export const runMock: CommandRun = async (line, io, context) => {
  const { refuse, print } = await openLine(line, io, context);
  refuse([]);
  await print(WAYS);
};
