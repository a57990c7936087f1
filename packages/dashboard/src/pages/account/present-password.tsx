export interface PresentPasswordProps {
  readonly password: string;
  readonly enter: (text: string) => void;
}

/** The field for the user's present password, which a change of the account requires. */
export function PresentPassword({ password, enter }: PresentPasswordProps) {
  return (
    <label>
      Present password
      <input
        type="password"
        required
        autocomplete="current-password"
        value={password}
        onInput={({ currentTarget }) => enter(currentTarget.value)}
      />
    </label>
  );
}
