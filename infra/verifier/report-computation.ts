import { FEE_CATEGORY, feeEvents } from '../../contracts/events/fee';
import { messageOf } from '../../contracts/text/error-message';
import type { Json } from '../../contracts/json/json';
import type { LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import type { Position } from '../../contracts/position';
import { statusChangeOf } from '../../projections/billing/totals';
import { FEE_LEDGER } from '../../projections/billing/fee-ledger';
import { feesProjection } from '../../projections/billing/fees';
import { BILLING_PROJECTIONS } from '../../projections/billing/billing-projections';
import type { Views } from '../../projections/views';
import { readEvents, type LineBatch } from './export-lines';
import { InMemoryProjections } from './in-memory-projections';
import { createInMemoryViews, type InMemoryDocuments } from './in-memory-views';
import { dayNumber, Int32Column } from './int32-column';
import { LedgerRules } from './ledger-rules';
import { VerificationFailed } from './outcome';
import type { BoundedDays, ReportPlan } from './report-plan';
import { readJson } from '../../contracts/json/read-json';

/**
 * Computes an answer from the events of an export: checks the rules of the ledger, folds the documents it needs, and
 * records the day of each row. Holds those documents, a state of each fee (`fee-state-table.ts`), invoice, settlement and rebate,
 * and four bytes of each event.
 */
export class ReportComputation {
  readonly #projections: InMemoryProjections;
  readonly #rules = new LedgerRules();
  readonly #days = new Int32Column();
  /** The streams of fees that were reversed in place. */
  readonly #reversed = new Set<string>();
  /** The batches that were read: their offset in the file, and the index of their first event. */
  readonly #batches: { readonly offset: number; readonly index: number }[] = [];
  #error: unknown = null;
  #wrongPosition = false;
  #first: LedgerEvent | null = null;
  #nextPosition: Position | null = null;
  #count = 0;

  /** @param size number of events behind the answer */
  constructor(
    private readonly size: number,
    private readonly plan: ReportPlan,
  ) {
    this.#projections = new InMemoryProjections(BILLING_PROJECTIONS, plan.documents);
  }

  /** No more events are needed. */
  get isDone(): boolean {
    return this.#count > this.size;
  }

  /** Of the event after those of the answer; null when there is none. */
  get nextPosition(): Position | null {
    return this.#nextPosition;
  }

  add({ offset, lines }: LineBatch): void {
    this.#batches.push({ offset, index: this.#count });
    for (const bytes of lines) this.#addEvent(bytes);
  }

  /** Errors are reported by `finish`, once the event is known to be a signed one. */
  #addEvent(bytes: Buffer): void {
    const index = this.#count++;
    if (index > this.size) return;
    try {
      const event = eventIn(bytes);
      if (index === 0) this.#first = event;
      const { includesEvent } = this.plan;
      if (includesEvent && includesEvent(event) !== index < this.size) this.#wrongPosition = true;
      if (index === this.size) this.#nextPosition = event.position;
      if (index === this.size || this.#error !== null) return;
      this.#rules.check(event);
      this.#projections.apply(event);
      this.#noteRow(event);
    } catch (error) {
      this.#error ??= error;
    }
  }

  /** The answer that the added events yield. @throws VerificationFailed */
  async finish(file: string): Promise<Json> {
    if (this.#wrongPosition)
      throw new VerificationFailed('wrong_answer', 'the position of the proof is not that of `asOf`');
    if (this.#error instanceof VerificationFailed) throw this.#error;
    if (this.#error !== null) throw unknownEvent(this.#error);
    const documents = this.#documents();
    try {
      return await this.#answer(file, documents);
    } catch (error) {
      // Such as from an invoice of a month that is none.
      throw error instanceof VerificationFailed
        ? error
        : new VerificationFailed('wrong_answer', `the events yield no answer: ${messageOf(error)}`);
    }
  }

  async #answer(file: string, folded: InMemoryDocuments): Promise<Json> {
    let documents = folded;
    const views = createInMemoryViews(() => documents);
    documents = new Map([...folded, ...(await this.#rows(file, views))]);
    return this.plan.compute(views, this.#first);
  }

  #documents(): InMemoryDocuments {
    try {
      return this.#projections.documents();
    } catch (error) {
      throw unknownEvent(error);
    }
  }

  #noteRow(event: LedgerEvent): void {
    const { rows } = this.plan;
    if (!rows) return;
    if ('days' in rows) this.#days.push(isOfFee(event) ? rowDay(event) : NO_DAY);
    else if (isOfFee(event) && statusChangeOf(feeEvents.read(event)).to === 'reversed')
      this.#reversed.add(event.stream);
  }

  /** The rows that the answer needs, from the file, which is read again. */
  async #rows(file: string, views: Views): Promise<InMemoryDocuments> {
    const { rows } = this.plan;
    if (!rows) return new Map();
    if ('days' in rows) {
      const range = await rows.days(views);
      return range ? this.#rowsOfDays(file, range) : new Map();
    }
    if (!(await rows.reversed(views))) return new Map();
    return this.#foldRows(file, { first: 0, last: this.size - 1 }, bytes => {
      const event = eventIn(bytes);
      return this.#reversed.has(event.stream) ? event : null;
    });
  }

  /** Reads from the first to the last row of these days, and folds only the events of such rows. */
  async #rowsOfDays(file: string, days: BoundedDays): Promise<InMemoryDocuments> {
    const [from, to] = [dayNumber(days.from), dayNumber(days.to)];
    const isInRange = (day: number): boolean => day >= from && day <= to;
    const range = this.#days.range(isInRange);
    if (!range) return new Map();
    return this.#foldRows(file, range, (bytes, index) =>
      isInRange(this.#days.at(index)) ? eventIn(bytes) : null,
    );
  }

  /** @param select the event of a line, by its index; null when it is not needed */
  async #foldRows(
    file: string,
    { first, last }: { readonly first: number; readonly last: number },
    select: (bytes: Buffer, index: number) => LedgerEvent | null,
  ): Promise<InMemoryDocuments> {
    const projections = new InMemoryProjections([feesProjection], { [FEE_LEDGER.name]: () => true });
    const start = this.#batches.findLast(batch => batch.index <= first)!;
    let { index } = start;
    for await (const { lines } of readEvents(file, start.offset))
      for (const bytes of lines) {
        if (index > last) return projections.documents();
        const event = select(bytes, index++);
        if (event) projections.apply(event);
      }
    return projections.documents();
  }
}

const unknownEvent = (error: unknown): VerificationFailed =>
  new VerificationFailed('unusable', `an event is unknown to this program: ${String(error)}`);

/** Less than the number of any day. */
const NO_DAY = 0;

const eventIn = (bytes: Buffer): LedgerEvent => readJson(bytes.toString()) as LedgerEvent;

const isOfFee = ({ stream }: LedgerEvent): boolean => stream.startsWith(`${FEE_CATEGORY}-`);

const rowDay = (event: LedgerEvent): number => dayNumber(statusChangeOf(feeEvents.read(event)).fee.day);
