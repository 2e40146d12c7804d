import type { Json } from '../../contracts/json/json';
import { PERSONAL_TEXTS, type ReportProof } from '../../contracts/ledger-tree/report-proof';
import { commitmentOf } from '../../contracts/text/personal-text';
import { VerificationFailed } from './outcome';
import { NO_COMMITMENT, UNKNOWN_FORM } from './report-plan';

/** The personal texts of an answer that are not proven, as JSON pointers (RFC 6901). */
export interface UnprovenTexts {
  /** Recorded before events had commitments. */
  readonly unproven: string[];
  /** Erased, so that only their existence is proven. */
  readonly erased: string[];
}

/**
 * Compares the personal texts of an answer, which its digest leaves out, with the commitments in the events.
 * @param computed the answer that the events yield, with commitments in place of texts; otherwise equal to `answer`
 * @throws VerificationFailed for a text that is not the recorded one, or where none was recorded or in an unknown form
 */
export function checkPersonalTexts(
  answer: Json,
  computed: Json,
  { openings = {} }: Pick<ReportProof, 'openings'>,
): UnprovenTexts {
  const found: UnprovenTexts = { unproven: [], erased: [] };
  const used = new Set<string>();
  const check = (pointer: string, text: Json, erased: Json, commitment: Json): void => {
    const refuse = (reason: string): never => {
      throw new VerificationFailed('wrong_answer', `${pointer} ${reason}`);
    };
    if (commitment === UNKNOWN_FORM)
      throw new VerificationFailed('unusable', `the event of ${pointer} has a text of an unknown form`);
    if (commitment === null) {
      if (text !== null || erased !== false) refuse('was never recorded');
    } else if (text === null) {
      if (erased !== true) refuse('was recorded, and is missing');
      found.erased.push(pointer);
    } else if (typeof text !== 'string' || erased !== false) refuse('is not a text');
    else {
      if (commitment === NO_COMMITMENT) {
        found.unproven.push(pointer);
        return;
      }
      const opening = openings[commitment as string];
      used.add(commitment as string);
      if (opening === undefined || commitmentOf(Buffer.from(opening, 'base64url'), text) !== commitment)
        refuse('is not the text that was recorded');
    }
  };
  const walk = (pointer: string, one: Json, other: Json): void => {
    if (one === null || typeof one !== 'object') return;
    const [members, recorded] = [one, other] as Record<string, Json>[];
    for (const name of Object.keys(members!)) {
      const at = `${pointer}/${name}`;
      if (isPersonalText(name) && !Array.isArray(one))
        check(at, members![name]!, members![`${name}Erased`] ?? null, recorded![name]!);
      else walk(at, members![name]!, recorded![name]!);
    }
  };
  walk('', answer, computed);
  if (!Object.keys(openings).every(commitment => used.has(commitment)))
    throw new VerificationFailed(
      'wrong_answer',
      'the proof has the opening of a text that is not in the answer',
    );
  return found;
}

const isPersonalText = (name: string): boolean => (PERSONAL_TEXTS as readonly string[]).includes(name);
