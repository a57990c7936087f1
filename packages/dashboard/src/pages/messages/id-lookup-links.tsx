import { toVisible } from "../../elements/visible-text.ts";
import { Link } from "../../shell/navigation.tsx";
import { type IdLookupMatch, pageOf } from "./id-lookup.ts";

export interface IdLookupLinksProps {
  readonly matches: readonly IdLookupMatch[];
  /** Whether there is only one match, so that Enter in the search field opens it. */
  readonly isEntered: boolean;
}

/** Links to the objects that the lookup found. */
export function IdLookupLinks({ matches, isEntered }: IdLookupLinksProps) {
  return (
    <ul class="named" aria-label="Matching ids">
      {matches.map((match) => (
        <li key={`${match.kind} ${match.id} ${match.keyOf}`}>
          <IdLookupLink match={match} />
          {isEntered && pageOf(match) !== undefined && <span class="hint"> Enter opens it.</span>}
        </li>
      ))}
    </ul>
  );
}

function IdLookupLink({ match }: { readonly match: IdLookupMatch }) {
  const { kind, id, keyOf, isKept } = match;
  const page = pageOf(match);
  return (
    <>
      {keyOf !== null && `Idempotency-Key of ${toVisible(keyOf)}${page === undefined ? "" : ": "}`}
      {page !== undefined && (
        <Link to={page}>
          {kind === "merchant" ? "messages of merchant" : kind} {toVisible(id ?? "")}
        </Link>
      )}
      {!isKept && ", which is not among the last requests of this instance"}
    </>
  );
}
