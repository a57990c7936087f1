import { describe, expect, it } from "vitest";
import { label, list, price, send } from "../testing/parcels.ts";
import { render } from "./render.ts";
import type { RenderOptions } from "./render-options.ts";
import { MASK } from "./secrets.ts";
import { PLAIN } from "./text/style.ts";

const options: RenderOptions = {
  ...{ format: "table", columns: undefined, showSecrets: false, style: PLAIN, width: undefined },
};
const json: RenderOptions = { ...options, format: "json" };
const view = { parcelId: 7, status: "QUEUED", size: { litres: 2 }, pin: "4711" };

describe("render", () => {
  it("shows all fields of a single view, with secrets masked and a remark about them", async () => {
    expect(await render(view, send.output, options)).toEqual({
      stdout: `parcelId     7\nstatus       QUEUED\nsize.litres  2\npin          ${MASK}\n`,
      remarks: ["1 secret is masked; --show-secrets shows it."],
    });
  });

  it("masks secrets in JSON, too, in every element of a list", async () => {
    const { stdout, remarks } = await render([view, view], list.output, json);
    expect(JSON.parse(stdout)).toEqual([
      { ...view, pin: MASK },
      { ...view, pin: MASK },
    ]);
    expect(remarks).toEqual(["2 secrets are masked; --show-secrets shows them."]);
  });

  it("shows secrets on request, and does not modify the answer", async () => {
    const shown = await render(view, send.output, { ...json, showSecrets: true });
    expect(JSON.parse(shown.stdout)).toEqual(view);
    expect(shown.remarks).toEqual([]);
  });

  it("does not count a secret that has no value", async () => {
    expect((await render({ ...view, pin: null }, send.output, options)).remarks).toEqual([]);
  });

  it("shows the record's columns of a list, or the requested ones", async () => {
    expect((await render([view], list.output, options)).stdout).toBe(
      "parcelId  status  size.litres\n7         QUEUED  2\n",
    );
    expect((await render([view], list.output, { ...options, columns: ["size.litres", "parcelId"] })).stdout).toBe(
      "size.litres  parcelId\n2            7\n",
    );
  });

  it("says in a remark that a list is empty", async () => {
    expect(await render([], list.output, options)).toEqual({ stdout: "", remarks: ["Nothing found."] });
    expect(await render([], list.output, json)).toEqual({ stdout: "[]\n", remarks: [] });
  });

  it("prints null in JSON if there is no body", async () => {
    expect((await render(undefined, price.output, json)).stdout).toBe("null\n");
    expect(await render(undefined, price.output, options)).toEqual({ stdout: "", remarks: ["Done."] });
  });

  it("prints text unchanged, and as one JSON string in JSON", async () => {
    expect((await render("<a>\n  <b/>\n</a>\n", label.output, options)).stdout).toBe("<a>\n  <b/>\n</a>\n");
    expect(JSON.parse((await render("<a/>", label.output, json)).stdout)).toBe("<a/>");
  });

  it.each([
    ['<param name="password" value="s3cret"/>', `<param name="password" value="${MASK}"/>`],
    ["<param value='s3cret' name='vm-password'/>", `<param value="${MASK}" name='vm-password'/>`],
    ['<param name="a1-hash"\n  value="0a1b"/>', `<param name="a1-hash"\n  value="${MASK}"/>`],
    ['<param name="dial-string" value="{a=b}user/1"/>', '<param name="dial-string" value="{a=b}user/1"/>'],
    ['<variable name="accountcode" value="password"/>', '<variable name="accountcode" value="password"/>'],
  ])("masks credentials in XML: %s", async (xml, shown) => {
    expect((await render(xml, label.output, options)).stdout).toBe(`${shown}\n`);
    expect((await render(xml, label.output, { ...options, showSecrets: true })).stdout).toBe(`${xml}\n`);
  });
});
