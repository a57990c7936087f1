/** `msgctl mock`: says where to find the mock. The bundle contains no server. */

import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";

/** Each command works as shown. */
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
