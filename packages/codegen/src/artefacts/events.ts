import type { Artefact } from "../artefact.ts";
import type { ApiDocument } from "../model.ts";
import { renderTypes } from "./contract-types.ts";

/** The file that is generated from the document of the events of messages. */
export const eventArtefacts: readonly Artefact<ApiDocument>[] = [
  { path: "packages/contract/src/generated/event-types.ts", render: renderTypes },
];
