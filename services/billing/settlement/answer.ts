import type { Settlement } from '../../../contracts/http/billing-settlements';
import type { PersonalText } from '../../../contracts/personal-text';
import type { SettlementDocument } from '../../../projections/billing/settlements';
import type { PersonalTexts } from '../../personal-text';
import { openTexts } from '../opened-texts';

/** A settlement as it is answered, what people wrote still sealed: this may be kept, what is opened may not. */
export type SealedSettlement = Omit<Settlement, 'reference' | 'voidReason'> & {
  readonly reference: PersonalText | null;
  readonly voidReason: PersonalText | null;
};

export function sealedAnswer({ _id, ...settlement }: SettlementDocument): SealedSettlement {
  return {
    ...settlement,
    settlementId: _id,
    referenceErased: false,
    voidReasonErased: false,
  };
}

/** Settlements with what people wrote; the very same object where nobody did. */
export async function openSettlements(
  texts: PersonalTexts,
  settlements: SealedSettlement[],
): Promise<Settlement[]> {
  const answer = { rows: settlements };
  if (hasNoTexts(answer)) return answer.rows;
  const references = await openTexts(
    texts,
    settlements.map(({ reference }) => reference),
  );
  const reasons = await openTexts(
    texts,
    settlements.map(({ voidReason }) => voidReason),
  );
  return settlements.map((settlement, i) => ({
    ...settlement,
    reference: references[i]!.text,
    referenceErased: references[i]!.erased,
    voidReason: reasons[i]!.text,
    voidReasonErased: reasons[i]!.erased,
  }));
}

const hasNoTexts = <Page extends { readonly rows: SealedSettlement[] }>(
  page: Page,
): page is Page & { readonly rows: Settlement[] } =>
  page.rows.every(({ reference, voidReason }) => reference === null && voidReason === null);

/** As `openSettlements`, for a page of them. */
export async function openSettlementPage<Page extends { readonly rows: SealedSettlement[] }>(
  texts: PersonalTexts,
  page: Page,
): Promise<Omit<Page, 'rows'> & { readonly rows: Settlement[] }> {
  return hasNoTexts(page) ? page : { ...page, rows: await openSettlements(texts, page.rows) };
}
