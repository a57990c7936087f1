import { afterEach, describe, expect, it, vi } from "vitest";
import { findLoneSurrogate } from "../../domain/unicode.ts";
import { parseQuery } from "./validation.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a query", () => {
  it("is decoded like a form, each name and value separately", () => {
    expect({ ...parseQuery("a=1&b=%C3%A9+%2B&a=2&c&%64=") }).toEqual({ a: ["1", "2"], b: "é +", c: "", d: "" });
  });

  it("replaces invalid UTF-8 by a text that validation refuses", () => {
    const { "%": plain, good, ...others } = parseQuery("good=%41&bad=%ff&open=%f&%25=%25");
    expect([good, plain]).toEqual(["A", "%"]);
    expect(Object.keys(others)).toEqual(["bad", "open"]);
    for (const value of Object.values(others)) expect(findLoneSurrogate(String(value))).toBeDefined();
  });

  it("is not decoded further after ten undecodable texts", () => {
    const decode = vi.spyOn(globalThis, "decodeURIComponent");
    const faulty = Array.from({ length: 5_000 }, (_, index) => `%ff=${index}&%f`).join("&");
    const query = parseQuery(`${faulty}&good=1`);
    expect(decode.mock.results.filter(({ type }) => type === "throw").length).toBeLessThanOrEqual(10);
    expect(Object.keys(query).some((name) => findLoneSurrogate(name) !== undefined)).toBe(true);
    expect(query.good).toBe("1");
  });
});
