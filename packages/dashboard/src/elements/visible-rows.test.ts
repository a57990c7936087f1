import fc from "fast-check";
import { expect, it } from "vitest";
import { findVisibleRows } from "./visible-rows.ts";

it("findVisibleRows() includes every visible row, and at most 22 more", () => {
  const window = fc.record({
    top: fc.nat({ max: 600_000 }),
    height: fc.integer({ min: 1, max: 3_000 }),
    rowHeight: fc.integer({ min: 20, max: 80 }),
  });
  fc.assert(
    fc.property(fc.nat({ max: 10_000 }), window, (count, { top, height, rowHeight }) => {
      const { first, end } = findVisibleRows(count, { top, height, rowHeight });
      expect(first).toBeGreaterThanOrEqual(0);
      expect(end).toBeLessThanOrEqual(count);
      expect(end - first).toBeLessThanOrEqual(height / rowHeight + 22);
      for (let row = 0; row < count; row += 1) {
        const isSeen = (row + 1) * rowHeight > top && row * rowHeight < top + height;
        if (isSeen) expect(row >= first && row < end).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});
