import { expect, it } from "vitest";
import { parcels } from "../testing/parcels.ts";
import { inputsOf } from "./cli-inputs.ts";
import { artefact } from "./dashboard-forms.ts";

it("the dashboard gets a form for each operation, with the values that msgctl takes", async () => {
  const contract = parcels();
  const text = await artefact.render(contract);
  for (const operation of contract.operations) {
    const [, entry = ""] = text.split(`  ${operation.operationId}: {`);
    const [form = ""] = entry.split("\n  },");
    expect(form).toContain(`summary: ${JSON.stringify(operation.summary)}`);
    for (const { name } of inputsOf(contract, operation)) expect(form).toContain(`name: ${JSON.stringify(name)}`);
  }
});
