import { countSegments } from "@msgctl/contract/segments";
import { BulkSendResource, type Rows, type SendManyOptions, type SendRows } from "@msgctl/sdk";
import type { BulkJob } from "../../bulk/bulk-job.ts";
import type { RowBody } from "../../bulk/list/row-kind.ts";
import type { OperationRecord } from "../../model/record.ts";
import { readField } from "../../output/fields.ts";

/** The job: each row sends one message. The rows were checked against the record of the channel. */
export function createSendJob(channel: keyof SendRows, record: OperationRecord): BulkJob {
  return {
    words: "send bulk",
    record,
    options: ["--channel", channel],
    noun: channel,
    verb: "sent",
    recipientField: "to",
    ...(channel === "SMS" && { countSegments: (body) => countSegments(textOf(body)).segments }),
    describeRow: (body) => `to ${readField(body, "to")}: ${JSON.stringify(shorten(textOf(body)))}`,
    start: (client, rows, options) => {
      const messages = rows as Rows<object> as Rows<SendRows[typeof channel]>;
      return new BulkSendResource(client).many(messages, {
        ...(options as SendManyOptions<typeof channel, true>),
        channel,
      });
    },
  };
}

const LONGEST_SHOWN = 300;

function shorten(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** Returns the text of the message that the recipient reads or hears first. */
function textOf(body: RowBody): string {
  return String(readField(body, "message") ?? readField(body, "subject") ?? "");
}
