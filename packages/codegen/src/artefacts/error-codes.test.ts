import { expect, it } from "vitest";
import { parcels } from "../testing/parcels.ts";
import { artefact } from "./error-codes.ts";

it("writes each code with its status, words, cause and hint", async () => {
  expect(await artefact.render(parcels())).toContain(`
export const problems = {
  too_heavy: { status: 422, title: "Too heavy", cause: "A parcel weighs more than 30 kg.", hint: "Send two parcels." },
`);
});
