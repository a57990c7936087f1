import { afterEach, expect, it, vi } from "vitest";
import { forgetToken, keepToken, readToken, refreshOnce } from "./token.ts";

const MINUTE_MS = 60_000;
const NOW = Date.UTC(2026, 0, 15, 12);

afterEach(() => {
  forgetToken();
  vi.restoreAllMocks();
});

it("a token is refreshed a minute before it expires, even if this machine's clock is wrong", async () => {
  const now = vi.spyOn(Date, "now").mockReturnValue(NOW);
  const serverNow = Date.UTC(2031, 5, 1);
  const expiresAt = new Date(serverNow + 15 * MINUTE_MS).toISOString();
  keepToken({ token: "first", expiresAt }, new Date(serverNow).toISOString());
  const refresh = vi.fn(async () => {
    keepToken({ token: "second", expiresAt }, new Date(serverNow).toISOString());
    return true;
  });
  now.mockReturnValue(NOW + 14 * MINUTE_MS - 1);
  expect([await readToken(refresh), refresh.mock.calls.length]).toEqual(["first", 0]);
  now.mockReturnValue(NOW + 14 * MINUTE_MS);
  expect([await readToken(refresh), refresh.mock.calls.length]).toEqual(["second", 1]);
});

it("concurrent callers share one refresh of the token", async () => {
  let answer = (_: boolean) => {};
  const refresh = vi.fn(() => new Promise<boolean>((resolve) => (answer = resolve)));
  const asked = [refreshOnce(refresh), refreshOnce(refresh)];
  answer(true);
  expect([await Promise.all(asked), refresh.mock.calls.length]).toEqual([[true, true], 1]);
});
