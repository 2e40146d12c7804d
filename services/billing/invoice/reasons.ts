import type { Invoice, InvoiceHead } from '../../../contracts/http/billing-answers';
import type { PersonalText } from '../../../contracts/personal-text';
import type { PersonalTexts } from '../../personal-text';
import { openTexts, type OpenedText } from '../opened-texts';

type Change = Invoice['history'][number];

/** An invoice as it is answered, its reasons still sealed: this may be kept, what is opened may not. */
export type SealedHead = Omit<InvoiceHead, 'voidReason'> & { readonly voidReason: PersonalText | null };
export type SealedInvoice = Omit<Invoice, 'voidReason' | 'history'> &
  Pick<SealedHead, 'voidReason'> & {
    readonly history: (Omit<Change, 'reason'> & { readonly reason: PersonalText | null })[];
  };

type Sealed = { readonly rows: SealedHead[] } | { readonly invoice: SealedInvoice };

/** A page of invoices with their reasons; the very same object where there are none. */
export async function openPage<Page extends { readonly rows: SealedHead[] }>(
  texts: PersonalTexts,
  page: Page,
): Promise<Omit<Page, 'rows'> & { readonly rows: InvoiceHead[] }> {
  if (hasNoReasons(page)) return page;
  const reasons = await openTexts(
    texts,
    page.rows.map(({ voidReason }) => voidReason),
  );
  return { ...page, rows: page.rows.map((head, i) => ({ ...head, ...asVoidReason(reasons[i]!) })) };
}

/** An invoice with its reasons; the very same object where there are none. */
export async function openInvoice(
  texts: PersonalTexts,
  answer: { readonly invoice: SealedInvoice },
): Promise<{ readonly invoice: Invoice }> {
  if (hasNoReasons(answer)) return answer;
  const { invoice } = answer;
  const [ofVoid, ...ofChanges] = await openTexts(texts, [
    invoice.voidReason,
    ...invoice.history.map(({ reason }) => reason),
  ]);
  const history = invoice.history.map((change, i) => {
    const { text, erased } = ofChanges[i]!;
    return { ...change, reason: text, reasonErased: erased };
  });
  return { invoice: { ...invoice, ...asVoidReason(ofVoid!), history } };
}

function hasNoReasons<Answer extends Sealed>(
  answer: Answer,
): answer is Answer & { rows: InvoiceHead[]; invoice: Invoice } {
  const heads = 'rows' in answer ? answer.rows : [answer.invoice];
  return heads.every(({ voidReason }) => voidReason === null);
}

const asVoidReason = ({ text, erased }: OpenedText) => ({ voidReason: text, voidReasonErased: erased });
