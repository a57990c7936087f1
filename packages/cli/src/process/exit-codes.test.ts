import { expect, it } from "vitest";
import { EXIT, toExitCode } from "./exit-codes.ts";

it("each HTTP status is mapped to one exit code", () => {
  const statuses = [400, 401, 402, 403, 404, 409, 413, 415, 422, 429, 499, 500, 502, 503, 504];
  const codes = [4, 3, 4, 3, 4, 4, 4, 4, 4, 7, 4, 5, 5, 5, 5];
  expect(statuses.map(toExitCode)).toEqual(codes);
});

it("no exit code has another number than at the first release", () => {
  expect(EXIT).toMatchObject({
    ...{ ok: 0, internal: 1, usage: 2, auth: 3, refused: 4, service: 5, network: 6, rateLimited: 7, partial: 8 },
    ...{ inputNeeded: 9, deadline: 10, hungUp: 129, interrupted: 130, terminated: 143 },
  });
});
