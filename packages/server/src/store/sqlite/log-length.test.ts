import { describe, expect, it } from "vitest";
import { LogLength } from "./checkpoints.ts";

const found = (pages: number, moved: number) => ({ pages, moved, isHeld: false });

describe("the length of the log", () => {
  it("is past its limit when more pages than the limit were written", () => {
    const length = new LogLength(20_000);
    length.note(found(20_000, 0));
    expect(length).toMatchObject({ isLong: true, isPastBound: false });
    length.note(found(20_001, 0));
    expect(length.isPastBound).toBe(true);
    length.startOver();
    expect(length).toMatchObject({ isLong: false, isPastBound: false });
  });

  it("requires no pause until few pages are left to move", () => {
    const length = new LogLength(20_000);
    const left = [found(8_001, 8_001), found(9_000, 9_000), found(16_000, 16_000), found(16_001, 16_000)].map(
      (next) => {
        length.note(next);
        return length.isNearlyMoved;
      },
    );
    expect(left).toEqual([false, true, false, true]);
  });

  it("is measured from the current length after a failed restart, and from 0 after a restart", () => {
    const length = new LogLength(20_000);
    length.note(found(30_000, 10));
    length.accept();
    expect(length).toMatchObject({ isLong: false, isPastBound: false });
    length.note(found(50_001, 10));
    expect(length.isPastBound).toBe(true);
    length.note(found(20_001, 0));
    expect(length.isPastBound).toBe(true);
    length.note(found(100, 100));
    expect(length).toMatchObject({ isLong: false, isPastBound: false });
  });
});
