import type { ComponentChildren } from "preact";

export interface CellProps {
  /** Name for screen readers, read before the value. Others see it in the list's head. */
  readonly name: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A value of a row that does not itself say what it is. */
export function Cell({ name, class: column, children }: CellProps) {
  return (
    <span class={column}>
      <span class="visually-hidden">, {name} </span>
      {children}
    </span>
  );
}
