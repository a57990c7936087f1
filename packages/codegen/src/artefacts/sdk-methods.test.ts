import { expect, it } from "vitest";
import { parcels, parcelsWith } from "../testing/parcels.ts";
import { artefact } from "./sdk-methods.ts";

const text = String(await artefact.render(parcels()));

/** The method's signature and body. */
function method(start: string, source = text): string {
  return source.match(new RegExp(`^  ${start}(?:<.*>)?\\([^{}]*\\{\\n.*\\n  \\}`, "m"))?.[0] ?? "";
}

it("writes one class per group and the client that holds them", () => {
  expect(text.match(/^export class \w+/gm)).toEqual([
    "export class ParcelsResource",
    "export class LabelsResource",
    "export class PingsResource",
    "export class ResourceClient",
  ]);
  expect(text).toContain("readonly labels = new LabelsResource(this);");
});

it("tells the client by which fields each reply is recognized: an object's, a list's, an XML element, or none", () => {
  expect(text).toContain(
    [
      "    this.#client = withIdentities(client, {",
      '      "POST /depots/{depotId}/parcels": ["parcelId"],',
      '      "GET /depots/{depotId}/parcels": [["parcelId", "kind"]],',
      '      "GET /parcels/{parcelId}": ["parcelId"],',
      "    });",
    ].join("\n"),
  );
  expect(text).toContain('withIdentities(client, { "GET /labels": "label" });');
  expect(text).toContain('withIdentities(client, { "POST /pings": null });');
});

it("takes path values first, then the body, then options", () => {
  expect(method("send")).toBe(
    [
      "  send<E extends boolean = false>(",
      "    depotId: string,",
      "    body: ParcelRequest,",
      "    options?: WriteOptions<E>,",
      "  ): ApiCall<ReplyData<ParcelView, E>> {",
      '    return this.#client.request("POST", "/depots/{depotId}/parcels", { path: { depotId }, body }, options);',
      "  }",
    ].join("\n"),
  );
});

it("allows a query without required values to be omitted", () => {
  expect(method("list")).toContain(
    "depotId: string,\n    query?: ListParcelsQuery,\n    options?: CallOptions<E>,\n  ): ApiCall<ReplyData<ParcelView[], E>> {",
  );
  const required = parcelsWith(
    "- name: limit\n          in: query",
    "- name: limit\n          in: query\n          required: true",
  );
  expect(method("list", String(artefact.render(parcels(required))))).toContain("query: ListParcelsQuery,");
});

it("accepts an integer in the path as a `PathValue`", () => {
  expect(method("get")).toContain("(parcelId: PathValue, options?: CallOptions<E>)");
});

it("asks for a reply that is not JSON, and returns it as text", () => {
  const print = method("print");
  expect(print).toContain("ApiCall<string>");
  expect(print).toContain('{ accept: "application/xml" }, options);');
});

it("returns undefined if the reply has no body", () => {
  expect(text).toContain("send(options?: WriteOptions): ApiCall<undefined> {");
});

it("writes words joined by hyphens in camel case", () => {
  const hyphens = parcelsWith("group: labels, name: print", "group: shipping-labels, name: print-all");
  const renamed = String(artefact.render(parcels(hyphens)));
  expect(renamed).toContain("export class ShippingLabelsResource {");
  expect(renamed).toContain("readonly shippingLabels = new ShippingLabelsResource(this);");
  expect(renamed).toContain("printAll(options?: CallOptions)");
});

it("imports each used name once", () => {
  expect(text).toContain('import type { ListParcelsQuery, ParcelRequest, ParcelView } from "./types.ts";');
  expect(text).toContain('import type { CallOptions, WriteOptions } from "../options.ts";');
});
