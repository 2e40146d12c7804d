import type { Invoice, InvoiceHead } from '../../../contracts/http/billing/responses';
import type { EncryptedText } from '../../../contracts/text/personal-text';
import type { PersonalTexts } from '../../personal-texts/personal-text';
import { decryptTexts, type DecryptedText } from '../../personal-texts/decrypted-texts';

type Change = Invoice['history'][number];

/** An invoice as it is returned, with its reasons still encrypted: only this form may be cached. */
export type EncryptedInvoiceHead = Omit<InvoiceHead, 'voidReason'> & {
  readonly voidReason: EncryptedText | null;
};
export type EncryptedInvoice = Omit<Invoice, 'voidReason' | 'history'> &
  Pick<EncryptedInvoiceHead, 'voidReason'> & {
    readonly history: (Omit<Change, 'reason'> & { readonly reason: EncryptedText | null })[];
  };

type EncryptedAnswer = { readonly rows: EncryptedInvoiceHead[] } | { readonly invoice: EncryptedInvoice };

/** A page of invoices with their reasons decrypted; the same object when there are none. */
export async function decryptInvoicePage<Page extends { readonly rows: EncryptedInvoiceHead[] }>(
  texts: Pick<PersonalTexts, 'decryptAll'>,
  page: Page,
): Promise<Omit<Page, 'rows'> & { readonly rows: InvoiceHead[] }> {
  if (hasNoReasons(page)) return page;
  const reasons = await decryptTexts(
    texts,
    page.rows.map(({ voidReason }) => voidReason),
  );
  return { ...page, rows: page.rows.map((head, i) => ({ ...head, ...asVoidReason(reasons[i]!) })) };
}

/** An invoice with its reasons decrypted; the same object when there are none. */
export async function decryptInvoice(
  texts: Pick<PersonalTexts, 'decryptAll'>,
  answer: { readonly invoice: EncryptedInvoice },
): Promise<{ readonly invoice: Invoice }> {
  if (hasNoReasons(answer)) return answer;
  const { invoice } = answer;
  const [voidReason, ...changeReasons] = await decryptTexts(texts, [
    invoice.voidReason,
    ...invoice.history.map(({ reason }) => reason),
  ]);
  const history = invoice.history.map((change, i) => {
    const { text, erased } = changeReasons[i]!;
    return { ...change, reason: text, reasonErased: erased };
  });
  return { invoice: { ...invoice, ...asVoidReason(voidReason!), history } };
}

function hasNoReasons<Answer extends EncryptedAnswer>(
  answer: Answer,
): answer is Answer & { rows: InvoiceHead[]; invoice: Invoice } {
  const heads = 'rows' in answer ? answer.rows : [answer.invoice];
  return heads.every(({ voidReason }) => voidReason === null);
}

const asVoidReason = ({ text, erased }: DecryptedText) => ({ voidReason: text, voidReasonErased: erased });
