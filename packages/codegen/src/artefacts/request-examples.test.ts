import { expect, it } from "vitest";
import { formatCurl } from "../pages/api/curl.ts";
import { parcels } from "../testing/parcels.ts";
import { artefact } from "./request-examples.ts";
import { callOf } from "./sdk-documentation.ts";

it("shows each operation by the example of docs/api, the terminal's command and the SDK's call", async () => {
  const contract = parcels();
  const text = await artefact.render(contract);
  for (const operation of contract.operations) {
    const { operationId, command } = operation;
    const [, entry = ""] = text.split(`  ${operationId}: {`);
    const [shown = ""] = entry.split("\n  },");
    expect(shown).toContain(`curl: ${JSON.stringify(formatCurl(operation))}`);
    expect(shown).toContain(`msgctl: "msgctl ${command.group} ${command.name}`);
    expect(shown).toContain(JSON.stringify(callOf(operation)).slice(1, -1));
  }
});
