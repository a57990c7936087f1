import type { OperationId, ResponseOf } from "@msgctl/contract";

/** The contract's example of an operation's success response. */
export interface ExampleReply<K extends OperationId> {
  readonly status: number;
  /** Null if the reply has no body. */
  readonly mediaType: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly value?: ResponseOf<K>;
}

export type ExampleReplies = { readonly [K in OperationId]: ExampleReply<K> };
