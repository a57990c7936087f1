import { Link } from "../../shell/navigation.tsx";
import { toVisible } from "../visible-text.ts";
import { type NamedThing, pageOf } from "./named-things.ts";

export interface NamedLinksProps {
  readonly things: readonly NamedThing[];
  /** Whether Enter in the search opens the only one. */
  readonly isEntered: boolean;
}

/** Links to the things that the search names. */
export function NamedLinks({ things, isEntered }: NamedLinksProps) {
  return (
    <ul class="named" aria-label="What this names">
      {things.map((thing) => (
        <li key={`${thing.kind} ${thing.id} ${thing.keyOf}`}>
          <Named thing={thing} />
          {isEntered && pageOf(thing) !== undefined && <span class="hint"> Enter opens it.</span>}
        </li>
      ))}
    </ul>
  );
}

function Named({ thing }: { readonly thing: NamedThing }) {
  const { kind, id, keyOf, isKept } = thing;
  const page = pageOf(thing);
  return (
    <>
      {keyOf !== null && `Idempotency-Key of ${toVisible(keyOf)}${page === undefined ? "" : ": "}`}
      {page !== undefined && (
        <Link to={page}>
          {kind === "merchant" ? "messages of merchant" : kind} {toVisible(id ?? "")}
        </Link>
      )}
      {!isKept && ", which is not among the last requests here"}
    </>
  );
}
