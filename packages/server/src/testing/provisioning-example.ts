// The contract's example of a tenant's provisioning, for tests.

import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { type ProvisioningView, toStoredProvisioning } from "../domain/provisioning/operations.ts";
import { replaceProvisioning } from "../domain/provisioning/rows.ts";
import type { Store } from "../store/store.ts";
import { secrets } from "./in-memory-service.ts";

const { paths } = parse(readFileSync(new URL("../../../../openapi.yaml", import.meta.url), "utf8"));
const replies = (path: string) => paths[`/api/v1/voice/provisioning${path}`].get.responses["200"].content;

/** The contract's example documents of FreeSWITCH's directory, for user 1001 of tenant 17. */
export const directoryExamples: Record<"found" | "notFound", { value: string }> = replies(
  "/freeswitch/directory/{identifier}",
)["application/xml"].examples;

/** Returns a mutable copy: one user `dana` with extension 1001, one ring group, one menu. */
export function exampleProvisioning(tenantId: number): ProvisioningView {
  return { ...structuredClone(replies("")["application/json"].examples.provisioning.value), tenantId };
}

/** Stores the view in an in-memory service, like an import. */
export function storeProvisioning(store: Store, view: ProvisioningView): Promise<void> {
  return store.write((tx) => replaceProvisioning(tx, view.tenantId, toStoredProvisioning(view, secrets.seal), 0));
}
