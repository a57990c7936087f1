/** `msgctl mock`: says where to find the mock. The bundle contains no server. */

import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";

/** Each command works as shown. */
const WAYS = `The whole service in memory: consent, quotas, delivery, callbacks, a clock that can be moved.

  npx @msgctl/mocks stateful --port 4010

The contract's examples, which no call changes, by Prism:

  npx --package @msgctl/mocks --package @stoplight/prism-cli msgctl-mock prism --port 4010

Each prints where it listens, commands to try and, for tests, how to begin anew. Ctrl-C ends it.`;

export const runMock: CommandRun = async (line, io, context) => {
  const { refuse, print } = await openLine(line, io, context);
  refuse([]);
  await print(WAYS);
};
