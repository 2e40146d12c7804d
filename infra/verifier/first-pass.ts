import { FEE_CATEGORY, feeEvents } from '../../contracts/events/fee';
import type { Json } from '../../contracts/json';
import type { LedgerEvent } from '../../contracts/seal/ledger-line';
import { moveOf } from '../../projections/billing/bucket';
import { FEE_LEDGER } from '../../projections/billing/fee-ledger';
import { feesProjection } from '../../projections/billing/fees';
import { BILLING_MODELS } from '../../projections/billing/models';
import { Column, dayOf } from './column';
import { readEvents, type Passage } from './export-lines';
import { Folding } from './folding';
import { memoryViews, type Held } from './memory-views';
import type { Question, Window } from './question';
import { Failed } from './verdict';

/** Folds what the answer is made of, and notes which rows lie where. */
export class FirstPass {
  readonly #folding: Folding;
  readonly #days = new Column();
  /** What was read at a time: where it begins in the file, and the index of its first event. */
  readonly #passages: { readonly at: number; readonly index: number }[] = [];
  #fault: unknown = null;
  #misplaced = false;
  #taken = 0;

  /** @param size events that the answer is made of */
  constructor(
    private readonly size: number,
    private readonly question: Question,
  ) {
    this.#folding = new Folding(BILLING_MODELS, question.wants);
  }

  /** There is nothing more to take. */
  get isOver(): boolean {
    return this.#taken > this.size || this.#fault !== null;
  }

  take({ at, lines }: Passage): void {
    this.#passages.push({ at, index: this.#taken });
    for (const bytes of lines) this.#take(bytes);
  }

  /** What is wrong with an event is told once it is known to be one that was signed. */
  #take(bytes: Buffer): void {
    const index = this.#taken++;
    if (index > this.size || this.#fault !== null) return;
    try {
      const event = eventIn(bytes);
      const { isAsked } = this.question;
      if (isAsked && isAsked(event) !== index < this.size) this.#misplaced = true;
      if (index === this.size) return;
      this.#folding.add(event);
      if (this.question.window) this.#days.push(isOfFee(event) ? rowDay(event) : NO_ROW);
    } catch (error) {
      this.#fault = error;
    }
  }

  /** What the events give that were taken. @throws Failed */
  async answer(file: string): Promise<Json> {
    if (this.#fault !== null) throw notUnderstood(this.#fault);
    if (this.#misplaced)
      throw new Failed(
        'differs',
        'the position of the proof is not where the ledger stood when it was asked about',
      );
    let held = this.#documents();
    const views = memoryViews(() => held);
    const window = (await this.question.window?.(views)) ?? null;
    if (window) held = new Map([...held, ...(await this.#rows(file, window))]);
    return this.question.answer(views);
  }

  #documents(): Held {
    try {
      return this.#folding.documents();
    } catch (error) {
      throw notUnderstood(error);
    }
  }

  /** Reads once more, from the first row of these days to the last one, only the events of such rows. */
  async #rows(file: string, { gte, lt }: Window): Promise<Held> {
    const [from, to] = [dayOf(gte), dayOf(lt)];
    const isWanted = (day: number): boolean => day >= from && day <= to;
    const folding = new Folding([feesProjection], { [FEE_LEDGER.name]: () => true });
    const ends = this.#days.ends(isWanted);
    if (!ends) return folding.documents();
    const start = this.#passages.findLast(passage => passage.index <= ends.first)!;
    let { index } = start;
    for await (const { lines } of readEvents(file, start.at))
      for (const bytes of lines) {
        if (index > ends.last) return folding.documents();
        if (isWanted(this.#days.at(index++))) folding.add(eventIn(bytes));
      }
    return folding.documents();
  }
}

const notUnderstood = (fault: unknown): Failed =>
  new Failed('unusable', `an event is not understood by this program: ${String(fault)}`);

/** Before any day there is. */
const NO_ROW = 0;

const eventIn = (bytes: Buffer): LedgerEvent => JSON.parse(bytes.toString()) as LedgerEvent;

const isOfFee = ({ stream }: LedgerEvent): boolean => stream.startsWith(`${FEE_CATEGORY}-`);

const rowDay = (event: LedgerEvent): number => dayOf(moveOf(feeEvents.read(event)).fee.created_at);
