import { expect, it } from "vitest";
import { parcels } from "../invented/parcels.ts";
import { artefact } from "./error-codes.ts";

it("writes each code with its status, words and hint", async () => {
  expect(await artefact.render(parcels())).toContain(`
export const problems = {
  too_heavy: { status: 422, title: "Too heavy", type: "https://parcels.example/too_heavy", hint: "Send two parcels." },
`);
});
