import { expect, it } from "vitest";
import { parcels } from "../../testing/parcels.ts";
import { renderResources } from "./as-resources.ts";

const resources = renderResources(parcels());

it("every operation and every error is a document with its own address", () => {
  expect(resources.map(({ uri }) => uri)).toEqual([
    ...["parcels/send", "parcels/list", "parcels/get", "labels/print", "pings/send"].map(
      (path) => `msgctl://docs/${path}`,
    ),
    ...["too_heavy", "parcel_not_found"].map((code) => `msgctl://docs/errors/${code}`),
  ]);
  const [send] = resources;
  expect(send).toMatchObject({ title: "Send a parcel", description: "POST /depots/{depotId}/parcels" });
});

it("links lead to other documents, and there is no curl", () => {
  const [send] = resources;
  expect(send?.text).toMatch(/^# Send a parcel\n/);
  expect(send?.text).toContain("[`too_heavy`](msgctl://docs/errors/too_heavy)");
  for (const { text } of resources) {
    expect(text).not.toMatch(/curl|\]\((?!msgctl:)/);
  }
});
