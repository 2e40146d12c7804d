import { FEE_CATEGORY, feeEvents } from '../../contracts/events/fee';
import type { Json } from '../../contracts/json';
import type { LedgerEvent } from '../../contracts/seal/ledger-line';
import { FEE_LEDGER, foldFee } from '../../projections/billing/fee-ledger';
import { feesProjection } from '../../projections/billing/fees';
import { BILLING_MODELS } from '../../projections/billing/models';
import { Column, dayOf } from './column';
import { readEvents } from './export-lines';
import { Folding } from './folding';
import { memoryViews, type Held } from './memory-views';
import type { Question, Window } from './question';
import { Failed } from './verdict';

/** Folds what the answer is made of, and notes which rows lie where. */
export class FirstPass {
  readonly #folding: Folding;
  readonly #days = new Column();
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

  /** What is wrong with an event is told once it is known to be one that was signed. */
  take(bytes: Buffer): void {
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
    if (this.#fault !== null)
      throw new Failed('unusable', `an event is not understood by this program: ${String(this.#fault)}`);
    if (this.#misplaced)
      throw new Failed(
        'differs',
        'the position of the proof is not where the ledger stood when it was asked about',
      );
    let held: Held = this.#folding.documents();
    const views = memoryViews(() => held);
    const window = (await this.question.window?.(views)) ?? null;
    if (window) held = new Map([...held, ...(await this.#rows(file, window))]);
    return this.question.answer(views);
  }

  /** Reads once more, only the events of rows of these days. */
  async #rows(file: string, { gte, lt }: Window): Promise<Held> {
    const [from, to] = [dayOf(gte), dayOf(lt)];
    const folding = new Folding([feesProjection], { [FEE_LEDGER.name]: () => true });
    let index = 0;
    for await (const lines of readEvents(file))
      for (const bytes of lines) {
        if (index === this.size) return folding.documents();
        const day = this.#days.at(index++);
        if (day >= from && day <= to) folding.add(eventIn(bytes));
      }
    return folding.documents();
  }
}

/** Before any day there is. */
const NO_ROW = 0;

const eventIn = (bytes: Buffer): LedgerEvent => JSON.parse(bytes.toString()) as LedgerEvent;

const isOfFee = ({ stream }: LedgerEvent): boolean => stream.startsWith(`${FEE_CATEGORY}-`);

const rowDay = (event: LedgerEvent): number => dayOf(foldFee(feeEvents.read(event)).created_at);
