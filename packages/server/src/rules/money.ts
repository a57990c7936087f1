// Amounts are integer micro-USD: a millionth of a dollar. A float never holds one before it is emitted.

export interface LineCost {
  baseMicros: number;
  markupMicros: number;
  /** Always exactly the sum of the other two. */
  finalMicros: number;
}

/**
 * What one line costs: the base, its markup rounded half up to a micro-dollar, and their sum.
 * `markupPercent` counts to two decimals (12.5 and 12.34 are exact). Throws a RangeError when the line is not a
 * non-negative integer that a number holds exactly.
 */
export function lineCost(line: { units: number; unitCostMicros: number; markupPercent: number }): LineCost {
  const baseMicros = exact(line.units * line.unitCostMicros, "base cost");
  const markupHundredths = exact(Math.round(line.markupPercent * 100), "markup");
  const markupMicros = exact(percentHalfUp(baseMicros, markupHundredths), "markup cost");
  return { baseMicros, markupMicros, finalMicros: exact(baseMicros + markupMicros, "final cost") };
}

/** The amount in dollars, as it is emitted: at most six decimals, exact up to eight billion dollars. */
export function microsToAmount(micros: number): number {
  return micros / 1_000_000;
}

/** Split so that no product leaves the exact integers before the result does. */
function percentHalfUp(micros: number, hundredths: number): number {
  const whole = Math.floor(micros / 10_000);
  return whole * hundredths + Math.floor(((micros % 10_000) * hundredths + 5_000) / 10_000);
}

function exact(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RangeError(
    `The ${name} is ${value}: it must be a whole number of units from 0 to ${Number.MAX_SAFE_INTEGER}.`,
  );
}
