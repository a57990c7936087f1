import type { ComponentChildren } from "preact";

export interface CellProps {
  /** Name of the value for screen readers. Sighted readers see it in the list's header. */
  readonly name: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** A value in a row, with its name for screen readers. */
export function Cell({ name, class: column, children }: CellProps) {
  return (
    <span class={column}>
      <span class="visually-hidden">, {name} </span>
      {children}
    </span>
  );
}
