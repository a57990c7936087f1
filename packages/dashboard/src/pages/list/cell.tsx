import type { ComponentChildren } from "preact";

export interface CellProps {
  /** Name of the value, for screen readers. Other readers see it in the list's head. */
  readonly name: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A value of a row that is not understood without its name. */
export function Cell({ name, class: column, children }: CellProps) {
  return (
    <span class={column}>
      <span class="visually-hidden">, {name} </span>
      {children}
    </span>
  );
}
