import { useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { State, type Tone } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { ConfirmedButton } from "../confirmed-button.tsx";
import { Scope } from "../scope-choice.tsx";
import { KeySecret } from "./key-secret.tsx";

type Key = Views["KeyView"];

const tones: Readonly<Record<Key["state"], Tone>> = { ACTIVE: "good", ROTATING: "open", REVOKED: "bad" };

const DAY_SECONDS = 24 * 60 * 60;
/** The choices for how long the previous secret works after a rotation. */
const overlaps: readonly (readonly [seconds: number, words: string])[] = [
  [0, "ends now"],
  [DAY_SECONDS / 24, "works for an hour"],
  [DAY_SECONDS, "works for a day"],
  [7 * DAY_SECONDS, "works for a week"],
  [30 * DAY_SECONDS, "works for 30 days"],
];

export interface KeyRowProps {
  readonly of: Key;
  readonly changed: () => void;
}

export function KeyRow({ of, changed }: KeyRowProps) {
  const { apiKey, name, merchantId, state, createdAt, createdBy, lastUsedAt, overlapEndsAt, revokedAt } = of;
  return (
    <li class="managed">
      <span>
        {name !== null && <strong>{name} </strong>}
        <code>{apiKey}</code>
      </span>
      <State state={state} tone={tones[state]} />
      <span>
        created <Time at={createdAt} />
        {createdBy !== null && ` by ${toVisible(createdBy)}`}
      </span>
      <span>
        may act for <Scope merchantId={merchantId} />
      </span>
      <span class="quiet">
        {lastUsedAt === null ? (
          "never used"
        ) : (
          <>
            used <Time at={lastUsedAt} isWhole />
          </>
        )}
        {state === "ROTATING" && overlapEndsAt !== null && (
          <>
            , the previous secret works until <Time at={overlapEndsAt} isWhole />
          </>
        )}
        {revokedAt !== null && (
          <>
            , revoked <Time at={revokedAt} isWhole />: requests with it are refused
          </>
        )}
      </span>
      {state !== "REVOKED" && <Changes of={of} changed={changed} />}
    </li>
  );
}

function Changes({ of: { apiKey }, changed }: KeyRowProps) {
  const [overlapSeconds, setOverlap] = useState(DAY_SECONDS);
  const [issued, setIssued] = useState<Views["IssuedKey"]>();
  const path = { apiKey };
  const rotate = async () => {
    setIssued(undefined);
    setIssued(await ask("rotateKey", { path, body: { overlapSeconds } }));
    changed();
  };
  const revoke = async () => {
    await ask("revokeKey", { path });
    changed();
  };
  return (
    <details>
      <summary>
        Change<span class="visually-hidden"> {apiKey}</span>
      </summary>
      <div class="fields">
        <label>
          Previous secret
          <select value={overlapSeconds} onChange={({ currentTarget }) => setOverlap(Number(currentTarget.value))}>
            {overlaps.map(([seconds, words]) => (
              <option key={seconds} value={seconds}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <ConfirmedButton words="New secret" yes="Yes, issue a new secret" no="Keep it" run={rotate} />
        <ConfirmedButton words="Revoke" yes="Yes, revoke it permanently" no="Keep it" run={revoke} />
      </div>
      {issued !== undefined && <KeySecret issued={issued} done={() => setIssued(undefined)} />}
    </details>
  );
}
