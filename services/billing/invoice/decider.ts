import { refuse, type CommandMetadata, type Decider, type Refusal } from '../../../contracts/decider';
import { invoiceEvents, type InvoiceEvent, type InvoiceGenerated } from '../../../contracts/events/invoice';
import type { EncryptedText } from '../../../contracts/text/personal-text';
import type { StreamKind } from '../../commands/stream-kind';

export interface Invoice {
  readonly invoiceId: string;
  readonly billingPeriod: string;
  /** The events of fees up to and including this position are in its lines. */
  readonly ledgerPosition: number;
  /** `finalizing` is shown as a draft: its number is being assigned. */
  readonly status: 'draft' | 'finalizing' | 'finalized' | 'void';
  /** The calendar day on which finalizing started: the year and month of the number. */
  readonly issuedOn: string | null;
  /** The actor that started finalizing. */
  readonly issuedBy: string | null;
}
type InvoiceState = Invoice | null;

export type InvoiceCommand = { readonly metadata: CommandMetadata } & (
  | { readonly type: 'generate'; readonly content: Omit<InvoiceGenerated, 'at' | 'by'> }
  | { readonly type: 'start_finalization'; readonly invoiceId: string; readonly issuedOn: string }
  | { readonly type: 'finalize'; readonly invoiceId: string; readonly number: string }
  | {
      readonly type: 'void';
      readonly invoiceId: string;
      readonly reason: EncryptedText | null;
      /** Whether the instance voids nothing without one. */
      readonly isReasonRequired: boolean;
    }
);

/** draft -> finalized -> void, draft -> void. */
export const invoiceDecider: Decider<InvoiceState, InvoiceCommand, InvoiceEvent> = {
  initial: () => null,

  evolve(state, event) {
    switch (event.type) {
      case 'InvoiceGenerated': {
        const { invoiceId, billingPeriod, ledgerPosition } = event.data;
        return { invoiceId, billingPeriod, ledgerPosition, status: 'draft', issuedOn: null, issuedBy: null };
      }
      case 'InvoiceFinalizationStarted':
        return (
          state && { ...state, status: 'finalizing', issuedOn: event.data.issuedOn, issuedBy: event.data.by }
        );
      case 'InvoiceFinalized':
        return state && { ...state, status: 'finalized' };
      case 'InvoiceVoided':
        return state && { ...state, status: 'void' };
    }
  },

  decide(state, command) {
    const { now: at, actor: by } = command.metadata;
    if (command.type === 'generate') {
      if (state) return periodExists(state.billingPeriod, state.invoiceId);
      return [{ type: 'InvoiceGenerated', data: { ...command.content, at, by } }];
    }
    if (command.type === 'void' && command.isReasonRequired && command.reason === null)
      return reasonMissing();
    if (!state) return refuse('invoice_not_found', `There is no invoice ${command.invoiceId}.`);
    const { invoiceId, billingPeriod, status } = state;
    const common = { invoiceId, billingPeriod, at, by };

    switch (command.type) {
      case 'start_finalization':
        if (status === 'finalizing') return [];
        if (status !== 'draft') return notDraft(state);
        return [{ type: 'InvoiceFinalizationStarted', data: { ...common, issuedOn: command.issuedOn } }];
      case 'finalize':
        if (status !== 'finalizing') return notDraft(state);
        return [
          { type: 'InvoiceFinalized', data: { ...common, by: state.issuedBy ?? by, number: command.number } },
        ];
      case 'void':
        if (status === 'void') return refuse('invoice_already_void', `Invoice ${invoiceId} is already void.`);
        if (status === 'finalizing')
          return refuse(FINALIZING, `Invoice ${invoiceId} is being finalized; try again.`);
        return [{ type: 'InvoiceVoided', data: { ...common, reason: command.reason } }];
    }
  },
};

export const invoiceKind: StreamKind<InvoiceState, InvoiceCommand, InvoiceEvent> = {
  decider: invoiceDecider,
  events: invoiceEvents,
};

/** The invoice must be finalized first: its number may already be assigned. */
export const FINALIZING = 'invoice_finalizing';

export function periodExists(billingPeriod: string, invoiceId: string): Refusal {
  return refuse('invoice_period_exists', `There is already an invoice for ${billingPeriod}: ${invoiceId}.`, {
    invoiceId,
  });
}

/** The command is incomplete, whatever the state of the invoice. */
const reasonMissing = (): Refusal =>
  refuse('invalid_request', 'this instance requires a reason', { missing: 'reason' });

/** Whether a void was refused because it has no reason. */
export function isReasonMissing({ extra }: Refusal): boolean {
  return extra?.['missing'] === 'reason';
}

const notDraft = ({ invoiceId, status }: Invoice): Refusal =>
  refuse('invoice_not_draft', `Invoice ${invoiceId} is ${status}.`);
