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
