// The documentation of this server's own contract. Loaded on the first request, to keep the start fast.

import { problems } from "@msgctl/contract";
import { requestExamples } from "../../generated/request-examples.ts";
import { toNode } from "./document.ts";
import { createSite, type Site } from "./site.ts";

/** @param text the contract as JSON */
export function openSite(text: string, isDevelopment: boolean): Site {
  return createSite({ document: toNode(JSON.parse(text)), problems, requestExamples, isDevelopment });
}
