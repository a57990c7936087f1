import { Problem } from "../client/problem.ts";

/** Shows an error, and a button to try again if `again` is given. */
export function Failure({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  const message = error instanceof Problem ? error.message : "The server cannot be reached. Is it running?";
  const faults = error instanceof Problem ? error.faults : [];
  return (
    <div class="failure" role="alert">
      {faults.length === 0 && <p>{message}</p>}
      {faults.length > 0 && (
        <ul>
          {faults.map(({ pointer, detail }) => (
            <li key={pointer + detail}>{detail}</li>
          ))}
        </ul>
      )}
      {again !== undefined && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  );
}
