import { useMerchants } from "../client/merchants.ts";
import { Link } from "../shell/navigation.tsx";
import { toVisible } from "./visible-text.ts";

/** The name of a merchant, or its id until the name is known. */
export function MerchantName({ merchantId }: { readonly merchantId: string }) {
  const merchant = useMerchants().merchants?.find(({ merchantId: id }) => id === merchantId);
  return (
    <bdi title={merchant === undefined ? undefined : merchantId}>{toVisible(merchant?.displayName ?? merchantId)}</bdi>
  );
}

/** The name of a merchant, which links to its page. */
export function MerchantLink({ merchantId }: { readonly merchantId: string }) {
  return (
    <Link to={{ page: "merchant", merchantId }}>
      <MerchantName merchantId={merchantId} />
    </Link>
  );
}
