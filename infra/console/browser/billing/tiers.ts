import { Refusal } from '../refusal';

/** From which sum of fees in a month on which share of them is returned, both as decimal texts. */
interface Tier {
  readonly from: string;
  readonly rate: string;
}

/** One tier a line: `1000.00 0.05`. */
export function tiersOf(text: string): Tier[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => {
      const [from = '', rate = '', ...rest] = line.split(/\s+/);
      return { from, rate: [rate, ...rest].join(' ') };
    });
}

export function textOf(tiers: readonly Tier[]): string {
  return tiers.map(({ from, rate }) => `${from} ${rate}`).join('\n');
}

/** What was wrong with tiers, by the lines of the text that they were read from. @param error of the call that set them */
export function byLine(error: unknown, text: string): unknown {
  if (!(error instanceof Refusal)) return error;
  const lines = text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [index + 1]));
  const errors = error.problem.errors?.map(each => {
    const [, tier, member] = /^\/body\/tiers\/(\d+)(?:\/(\w+))?$/.exec(each.pointer) ?? [];
    if (tier === undefined) return each;
    const message = `line ${lines[Number(tier)]}${member === undefined ? '' : `, ${member}`}: ${each.message}`;
    return { ...each, pointer: '/body/tiers', message };
  });
  if (!errors?.[0]) return error;
  const detail = `${errors[0].pointer}: ${errors[0].message}`;
  return new Refusal({ ...error.problem, detail, errors });
}
