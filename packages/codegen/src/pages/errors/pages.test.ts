import { expect, it } from "vitest";
import { parcels } from "../../testing/parcels.ts";
import { pageSet } from "./pages.ts";

const contract = parcels();

it("has a page for each problem code, with cause and cure, and each in the index", async () => {
  const pages = await pageSet.render(contract);
  const names = contract.problems.map(({ code }) => `docs/errors/${code}.md`);
  expect([...pages.keys()]).toEqual(["docs/errors/README.md", ...names]);
  for (const { code, cause, hint } of contract.problems) {
    expect(pages.get(`docs/errors/${code}.md`)).toContain(
      `## Cause\n\n${cause}\n\n## Cure\n\n${hint}\n\n## Reply\n\n\`\`\`json\n{`,
    );
    expect(pages.get("docs/errors/README.md")).toContain(`| [\`${code}\`](${code}.md) | ${cause} |`);
  }
});
