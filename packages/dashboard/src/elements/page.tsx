// The parts of a page that all pages have alike.

import type { ComponentChildren } from "preact";
import { Link } from "../shell/navigation.tsx";
import type { Route } from "../shell/route.ts";

export interface PageHeadProps {
  readonly title: ComponentChildren;
  /** The page that this one is inside of. */
  readonly within?: { readonly to: Route; readonly name: string };
  /** Beside the title: a state, a count. */
  readonly beside?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

export function PageHead({ title, within, beside, actions }: PageHeadProps) {
  return (
    <header class="page-head">
      {within !== undefined && (
        <nav class="crumbs" aria-label="Breadcrumbs">
          <Link to={within.to}>{within.name}</Link>
        </nav>
      )}
      <h1>{title}</h1>
      {beside}
      {actions !== undefined && actions !== false && <div class="actions">{actions}</div>}
    </header>
  );
}

export interface CardProps {
  /** Names the card for links and screen readers. */
  readonly id: string;
  readonly title: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Card({ id, title, class: name = "", children }: CardProps) {
  return (
    <section class={`card ${name}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

export interface FactProps {
  readonly name: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A name and its value, inside of `<dl class="facts">`. */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export interface EmptyProps {
  /** Says what appears here, or that nothing was found. */
  readonly title: string;
  /** Says how it gets here, or what to do. */
  readonly children?: ComponentChildren;
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="nothing">
      <p>{title}</p>
      {children !== undefined && <p class="quiet">{children}</p>}
    </div>
  );
}

/** The outline of rows that are being loaded. */
export function Skeleton() {
  return (
    <div class="skeleton" role="status" aria-label="Loading">
      {[1, 2, 3, 4, 5].map((row) => (
        <i key={row} />
      ))}
    </div>
  );
}
