import { Option } from 'commander';
import { merchantNames } from '../../../../projections/billing/revenue-buckets';
import type { Views } from '../../../../projections/views';
import { UsageError } from '../../commands/usage-error';

/** `--merchant`: wherever a merchant is named. */
export function merchantOption(): Option {
  return new Option('--merchant <id or slug>', 'only of one merchant');
}

/**
 * The id of the merchant that somebody has named by its id, or by a slug of its fees; the text itself where no fee has either.
 * @throws UsageError where several merchants have the slug
 */
export async function givenMerchantId(views: Views, text: string): Promise<string> {
  if ((await merchantNames(views, { merchant_id: text })).length > 0) return text;
  const ids = (await merchantNames(views, { merchant_slug: text })).map(({ merchant_id }) => merchant_id);
  return only(ids, text, `${text} is the slug of several merchants: name one by its id`);
}

/** How the fees of a merchant are found. */
export interface GivenSlug {
  readonly slug: string;
  /** Slugs of further fees of the merchant, which are not found by this one. */
  readonly others: readonly string[];
}

/**
 * The slug by which the fees of the merchant are found. A text that is a slug stays it, unless it is the id of another merchant.
 * @throws UsageError where the fees of the merchant have several slugs, none of which is the text
 */
export async function givenMerchantSlug(views: Views, text: string): Promise<GivenSlug> {
  const ofId = await merchantNames(views, { merchant_id: text });
  const ofSlug = await merchantNames(views, { merchant_slug: text });
  const isOfAnother = ofId.length > 0 && ofSlug.some(({ merchant_id }) => merchant_id !== text);
  const slugs = ofId.map(({ merchant_slug }) => merchant_slug);
  if (ofSlug.length > 0 && !isOfAnother)
    return { slug: text, others: [...new Set(slugs)].filter(slug => slug !== text).sort() };
  return { slug: only(slugs, text, `the fees of ${text} have several slugs: name one`), others: [] };
}

function only(found: readonly string[], otherwise: string, ambiguous: string): string {
  const different = [...new Set(found)].sort();
  if (different.length > 1) throw new UsageError(`${ambiguous}, of ${different.join(', ')}`);
  return different[0] ?? otherwise;
}
