/** The commands there are. Tests make their own; the real one loads no more of the generated data than it is asked for. */
import { index } from "./generated/index.ts";
import type { CommandIndex, OperationRecord } from "./record.ts";

export interface Catalog {
  index: CommandIndex;
  record(operationId: string): Promise<OperationRecord>;
  /** What to do about a problem code of the service. */
  hint(code: string): Promise<string | undefined>;
}

export const catalog: Catalog = {
  index,
  async record(operationId) {
    const { records } = await import("./generated/records.ts");
    const record = records[operationId];
    if (record === undefined) throw new Error(`The index names ${operationId}, of which there is no record.`);
    return record;
  },
  async hint(code) {
    const { hints } = await import("./generated/hints.ts");
    return Object.hasOwn(hints, code) ? hints[code] : undefined;
  },
};
