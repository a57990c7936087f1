// Turns the user's second factor on and off.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { counted } from "../../elements/counted.ts";
import { Card } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { Time } from "../../elements/time.tsx";
import { Failure } from "../../shell/failure.tsx";
import { ShownOnce } from "../shown-once.tsx";
import { useAction } from "../use-action.ts";
import { useAnswer } from "../use-answer.ts";
import { PresentPassword } from "./present-password.tsx";
import { QrCode } from "./qr-code.tsx";

/** Fewer recovery codes than this are few. */
const FEW_CODES = 3;

export interface SecondFactorProps {
  /** Called after the second factor was turned on, when the user has seen the recovery codes, and after it was turned off. */
  readonly changed: () => void;
}

export function SecondFactor({ changed }: SecondFactorProps) {
  const { answer, error, again } = useAnswer("getSecondFactor", {});
  const [secret, setSecret] = useState<Views["SecondFactorSecret"]>();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  const [done, setDone] = useState("");
  const showCodes = (codes: readonly string[]) => {
    setSecret(undefined);
    setRecoveryCodes(codes);
    setDone("");
    again();
  };
  const hideCodes = () => {
    setRecoveryCodes(undefined);
    changed();
  };
  const turnedOff = () => {
    setDone("The second factor is off.");
    again();
    changed();
  };
  return (
    <Card id="second-factor" title="Second factor">
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && <Present factor={answer} />}
      {recoveryCodes !== undefined && (
        <ShownOnce texts={{ "Recovery codes": recoveryCodes.join("\n") }} done={hideCodes}>
          Each code replaces a code of your app once, if you lose your phone. Keep them where you keep your passwords.
          They are not shown again.
        </ShownOnce>
      )}
      {answer?.since === null && secret === undefined && <Begin begun={setSecret} />}
      {secret !== undefined && <Confirm secret={secret} confirmed={showCodes} left={() => setSecret(undefined)} />}
      {answer !== undefined && answer.since !== null && recoveryCodes === undefined && (
        <Change renewed={showCodes} removed={turnedOff} />
      )}
      <p role="status">{done}</p>
    </Card>
  );
}

function Present({ factor: { since, recoveryCodesLeft, policy } }: { readonly factor: Views["SecondFactorView"] }) {
  if (since === null) {
    return (
      <p>
        <State state="OFF" tone={policy === "required" ? "bad" : "plain"} /> With a second factor, a sign-in needs your
        password and a code from an app on your phone, so somebody who learns your password cannot sign in.
      </p>
    );
  }
  return (
    <p>
      <State state="ON" tone="good" /> since <Time at={since} isWhole />. {counted(recoveryCodesLeft, "recovery code")}{" "}
      left
      {recoveryCodesLeft < FEW_CODES ? ": make new ones." : "."}
      {policy === "required" &&
        " Your tenant requires a second factor: if you turn it off, you can do nothing but set up another."}
    </p>
  );
}

function Begin({ begun }: { readonly begun: (secret: Views["SecondFactorSecret"]) => void }) {
  const [current, setCurrent] = useState("");
  const action = useAction();
  return (
    <>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          action.run(async () => begun(await ask("startSecondFactor", { body: { current } })));
        }}
      >
        <PresentPassword password={current} enter={setCurrent} />
        <button type="submit" aria-disabled={action.isRunning}>
          Set up a second factor
        </button>
      </form>
      {action.error !== undefined && <Failure error={action.error} />}
    </>
  );
}

interface ConfirmProps {
  readonly secret: Views["SecondFactorSecret"];
  readonly confirmed: (recoveryCodes: readonly string[]) => void;
  readonly left: () => void;
}

function Confirm({ secret: { secret, link }, confirmed, left }: ConfirmProps) {
  const [code, setCode] = useState("");
  const action = useAction();
  const shown = useRef<HTMLElement>(null);
  useLayoutEffect(() => shown.current?.focus(), []);
  return (
    <section ref={shown} class="next" aria-label="Set up a second factor" tabIndex={-1}>
      <p>
        Scan this with an authenticator app, or enter the key by hand. On a phone with such an app,{" "}
        <a href={link}>add it to the app</a>.
      </p>
      <QrCode text={link} label="QR code of the key" />
      <p>
        <span class="quiet">Key</span> <code>{(secret.match(/.{1,4}/g) ?? []).join(" ")}</code>
      </p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          action.run(async () => confirmed((await ask("confirmSecondFactor", { body: { code } })).recoveryCodes));
        }}
      >
        <CodeField label="Code that the app shows now" code={code} enter={setCode} />
        <button type="submit" class="main" aria-disabled={action.isRunning}>
          Turn it on
        </button>
        <button type="button" onClick={left}>
          Cancel
        </button>
      </form>
      <p class="quiet">Your other sessions end when you turn it on.</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </section>
  );
}

interface ChangeProps {
  readonly renewed: (recoveryCodes: readonly string[]) => void;
  readonly removed: () => void;
}

function Change({ renewed, removed }: ChangeProps) {
  const [current, setCurrent] = useState("");
  const [code, setCode] = useState("");
  const action = useAction();
  const run = (work: (body: { current: string; code: string }) => Promise<void>) =>
    action.run(async () => {
      await work({ current, code });
      setCurrent("");
      setCode("");
    });
  const renew = () => run(async (body) => renewed((await ask("renewRecoveryCodes", { body })).recoveryCodes));
  const remove = () =>
    run(async (body) => {
      await ask("removeSecondFactor", { body });
      removed();
    });
  return (
    <details>
      <summary>Replace the recovery codes, or turn it off</summary>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (event.submitter?.dataset.turnsOff === "true") remove();
          else renew();
        }}
      >
        <PresentPassword password={current} enter={setCurrent} />
        <CodeField label="Code, or recovery code" code={code} enter={setCode} />
        <button type="submit" aria-disabled={action.isRunning}>
          New recovery codes
        </button>
        <button type="submit" class="grave" data-turns-off="true" aria-disabled={action.isRunning}>
          Turn it off
        </button>
      </form>
      {action.error !== undefined && <Failure error={action.error} />}
    </details>
  );
}

interface CodeFieldProps {
  readonly label: string;
  readonly code: string;
  readonly enter: (text: string) => void;
}

function CodeField({ label, code, enter }: CodeFieldProps) {
  return (
    <label>
      {label}
      <input
        type="text"
        required
        maxLength={100}
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck={false}
        value={code}
        onInput={({ currentTarget }) => enter(currentTarget.value)}
      />
    </label>
  );
}
