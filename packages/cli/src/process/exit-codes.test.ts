import { expect, it } from "vitest";
import { toExitCode } from "./exit-codes.ts";

it("each HTTP status is mapped to one exit code", () => {
  const statuses = [400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 499, 500, 502, 503, 504];
  const codes = [4, 3, 4, 3, 4, 4, 4, 4, 4, 7, 4, 5, 5, 5, 5];
  expect(statuses.map(toExitCode)).toEqual(codes);
});
