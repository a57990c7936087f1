import type { ComponentChildren } from "preact";

export interface CellProps {
  /** Read out before the value, which the head of a list shows to those who see. */
  readonly name: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A value of a row that does not say itself what it is. */
export function Cell({ name, class: column, children }: CellProps) {
  return (
    <span class={column}>
      <span class="visually-hidden">, {name} </span>
      {children}
    </span>
  );
}
