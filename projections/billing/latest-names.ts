import type { Views } from '../views';
import { MERCHANTS, type MerchantDocument } from './merchants';
import type { MerchantBucket } from './revenue-buckets';

/** The latest name of each merchant: that of the fee recorded last, or the one it was given itself since. */
export class LatestNames {
  private readonly latest = new Map<string, Pick<MerchantBucket, 'merchant_name' | 'named_at'>>();

  /** As its fees do. */
  call({ merchant_id, merchant_name, named_at }: MerchantBucket): void {
    const known = this.latest.get(merchant_id);
    if (!known || named_at > known.named_at) this.latest.set(merchant_id, { merchant_name, named_at });
  }

  /** As merchants that fees have called something were named themselves, where that was later. */
  async callAsGiven(views: Views, merchantIds: Iterable<string>): Promise<void> {
    const given = await views.getMany<MerchantDocument>(MERCHANTS.name, [...merchantIds]);
    for (const [merchantId, { name, position }] of given)
      if (position > this.latest.get(merchantId)!.named_at)
        this.latest.set(merchantId, { merchant_name: name, named_at: position });
  }

  /** Of a merchant that was called something. */
  of(merchantId: string): string {
    return this.latest.get(merchantId)!.merchant_name;
  }
}
