import { BulkSendResource, type Rows, type SendManyOptions, type SendRows } from "@msgctl/sdk";
import type { BulkJob } from "../../bulk/bulk-job.ts";
import type { OperationRecord } from "../../model/record.ts";

/** One message per row; the rows already match the channel's record. */
export function createSendJob(channel: keyof SendRows, record: OperationRecord): BulkJob {
  return {
    words: "send bulk",
    record,
    options: ["--channel", channel],
    noun: channel,
    recipientField: "to",
    start: (client, rows, options) => {
      const messages = rows as Rows<object> as Rows<SendRows[typeof channel]>;
      return new BulkSendResource(client).many(messages, {
        ...(options as SendManyOptions<typeof channel, true>),
        channel,
      });
    },
  };
}
