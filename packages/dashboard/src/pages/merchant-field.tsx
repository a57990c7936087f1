import { useMerchants } from "../client/merchants.ts";
import { toVisible } from "../elements/visible-text.ts";
import { Failure } from "../shell/failure.tsx";

export interface MerchantFieldProps {
  /** Empty for no merchant. */
  readonly chosen: string;
  readonly choose: (merchantId: string) => void;
  /** The choice of no merchant, such as "all merchants". Without it, a merchant is required. */
  readonly none?: string | undefined;
}

/** The field of a form in which a merchant is chosen. */
export function MerchantField({ chosen, choose, none }: MerchantFieldProps) {
  const { merchants = [], error, again } = useMerchants();
  return (
    <>
      {error !== undefined && <Failure error={error} again={again} />}
      <label>
        Merchant
        <select
          required={none === undefined}
          value={chosen}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {none !== undefined && <option value="">{none}</option>}
          {chosen !== "" && !merchants.some(({ merchantId }) => merchantId === chosen) && (
            <option value={chosen}>{toVisible(chosen)}</option>
          )}
          {merchants.map(({ merchantId, displayName }) => (
            <option key={merchantId} value={merchantId}>
              {toVisible(displayName)}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
