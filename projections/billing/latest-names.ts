import type { Views } from '../views';
import { MERCHANTS, type MerchantDocument } from './merchants';
import type { MerchantBucket } from './revenue-buckets';

/** The latest name of each merchant: that of its last recorded fee, or the one set since. */
export class LatestNames {
  private readonly latest = new Map<string, Pick<MerchantBucket, 'merchant_name' | 'named_at'>>();

  addBucket({ merchant_id, merchant_name, named_at }: MerchantBucket): void {
    const known = this.latest.get(merchant_id);
    if (!known || named_at > known.named_at) this.latest.set(merchant_id, { merchant_name, named_at });
  }

  /** Takes the names set for merchants, where they are later than those of their fees. */
  async addMerchants(views: Views, merchantIds: Iterable<string>): Promise<void> {
    const merchants = await views.getMany<MerchantDocument>(MERCHANTS.name, [...merchantIds]);
    for (const [merchantId, { name, position }] of merchants)
      if (position > this.latest.get(merchantId)!.named_at)
        this.latest.set(merchantId, { merchant_name: name, named_at: position });
  }

  /** The name of a merchant with at least one added bucket. */
  of(merchantId: string): string {
    return this.latest.get(merchantId)!.merchant_name;
  }
}
