// The contract's example of a list of merchants, for fake services to reply with.

import { contentOf, examplesOf, replies } from "../../packages/contract/test/document.ts";

export const merchantsReply: string = JSON.stringify(exampleOf("listMerchants"));

function exampleOf(operationId: string): unknown {
  const reply = replies.find(({ route, status }) => route.operation.operationId === operationId && status === 200);
  const { examples } = contentOf(reply?.response ?? {});
  const [[, value] = []] = examplesOf({ examples });
  if (value === undefined) throw new Error(`${operationId} has no example of its reply`);
  return value;
}
