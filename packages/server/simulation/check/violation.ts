/** An invariant that does not hold. */
export class Violation extends Error {
  override readonly name = "Violation";
  readonly invariant: string;
  readonly detail: string;

  constructor(invariant: string, detail: string) {
    super(`${invariant}: ${detail}`);
    this.invariant = invariant;
    this.detail = detail;
  }
}
