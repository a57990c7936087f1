// The state of the server, which the pages Health and Installation both show.

import type { Views } from "../../api.ts";
import { Fact } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";

type ServerState = Pick<
  Views["HealthView"],
  "isReady" | "obstacle" | "note" | "version" | "engine" | "canBackUp" | "backedUpAt"
>;

interface Props {
  readonly health: ServerState;
}

export function Server({ health: { isReady, obstacle, note, version, engine } }: Props) {
  return (
    <div role="status">
      <p class="headline">
        <State state={isReady ? "READY" : "NOT_READY"} tone={isReady ? "good" : "bad"} />
        {obstacle !== null && `: ${toVisible(obstacle)}`} · msgd {version} on {engine}
      </p>
      {note !== null && <p>{toVisible(note)}</p>}
    </div>
  );
}

export function Backup({ health: { engine, canBackUp, backedUpAt } }: Props) {
  const isOnServer = engine === "PostgreSQL";
  return (
    <Fact name="Last backup">
      {backedUpAt !== null && <Time at={backedUpAt} isWhole />}
      {canBackUp && backedUpAt === null && (
        <>
          none yet: <code>msgd backup</code> makes one while the server runs
        </>
      )}
      {!canBackUp && (isOnServer ? "made with PostgreSQL's own tools, not by msgd" : "none: the data is in memory")}
    </Fact>
  );
}
