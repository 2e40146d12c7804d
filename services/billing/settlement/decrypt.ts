import type { Settlement } from '../../../contracts/http/billing/settlements';
import type { EncryptedText } from '../../../contracts/text/personal-text';
import type { Position } from '../../../contracts/position';
import type { SettlementDocument } from '../../../projections/billing/settlements';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import { decryptTexts } from '../../personal-texts/decrypted-texts';

/** A settlement as it is returned, with its texts still encrypted: only this form may be cached. */
export type EncryptedSettlement = Omit<Settlement, 'reference' | 'voidReason'> & {
  readonly reference: EncryptedText | null;
  readonly voidReason: EncryptedText | null;
};

/** A settlement of the projection as it is returned, but for its texts. */
export function encryptedSettlement({
  _id,
  position: _,
  ...settlement
}: SettlementDocument & { readonly position?: Position }): EncryptedSettlement {
  return {
    ...settlement,
    settlementId: _id,
    referenceErased: false,
    voidReasonErased: false,
  };
}

/** Settlements with their texts decrypted; the same array when there are none. */
export async function decryptSettlements(
  texts: Pick<PersonalTexts, 'decryptAll'>,
  settlements: EncryptedSettlement[],
): Promise<Settlement[]> {
  const answer = { rows: settlements };
  if (hasNoTexts(answer)) return answer.rows;
  const references = await decryptTexts(
    texts,
    settlements.map(({ reference }) => reference),
  );
  const reasons = await decryptTexts(
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

const hasNoTexts = <Page extends { readonly rows: EncryptedSettlement[] }>(
  page: Page,
): page is Page & { readonly rows: Settlement[] } =>
  page.rows.every(({ reference, voidReason }) => reference === null && voidReason === null);

/** As `decryptSettlements`, for a page of them. */
export async function decryptSettlementPage<Page extends { readonly rows: EncryptedSettlement[] }>(
  texts: Pick<PersonalTexts, 'decryptAll'>,
  page: Page,
): Promise<Omit<Page, 'rows'> & { readonly rows: Settlement[] }> {
  return hasNoTexts(page) ? page : { ...page, rows: await decryptSettlements(texts, page.rows) };
}
