// The sign-in form. A development server does not show it.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { signIn } from "../../client/client.ts";
import { Problem } from "../../client/problem.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAction } from "../use-action.ts";

export function SignInPage({ enter }: { readonly enter: () => void }) {
  const action = useAction();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const [code, setCode] = useState("");
  const codeField = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => codeField.current?.focus(), [needsCode]);
  const run = async () => {
    try {
      await signIn({ email, password, ...(needsCode && { code }) });
    } catch (error) {
      if (!isAboutCode(error)) throw error;
      setNeedsCode(true);
      setCode("");
      // the field that appears says what is missing
      if (needsCode) throw error;
      return;
    }
    enter();
  };
  return (
    <main id="content" class="page sign-in">
      <h1>Sign in to msgd</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          action.run(run);
        }}
      >
        <label>
          Email
          <input
            type="email"
            name="email"
            autoComplete="username"
            required
            value={email}
            onInput={({ currentTarget }) => {
              setEmail(currentTarget.value);
              setNeedsCode(false);
            }}
          />
        </label>
        <label>
          Password
          <input
            type="password"
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onInput={({ currentTarget }) => setPassword(currentTarget.value)}
          />
        </label>
        {needsCode && (
          <>
            <label>
              Code
              <input
                ref={codeField}
                type="text"
                name="code"
                autoComplete="one-time-code"
                autoCapitalize="none"
                spellcheck={false}
                aria-describedby="code-hint"
                required
                maxLength={100}
                value={code}
                onInput={({ currentTarget }) => setCode(currentTarget.value)}
              />
            </label>
            <p id="code-hint" class="hint">
              The code that your authenticator app shows, or a recovery code.
            </p>
          </>
        )}
        <button type="submit" aria-disabled={action.isRunning}>
          Sign in
        </button>
      </form>
      {action.error !== undefined && <Failure error={action.error} />}
      <p class="hint">
        No account, or lost your password or second factor? Ask an admin of your tenant or the operator of this server
        for a link.
      </p>
    </main>
  );
}

/** Whether the password was right, but the code is missing or wrong. */
function isAboutCode(error: unknown): boolean {
  return error instanceof Problem && error.faults.some(({ pointer }) => pointer === "/code");
}
