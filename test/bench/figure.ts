export type Goal =
  | { readonly of: 'ratio' | 'value'; readonly atLeast: number }
  | { readonly of: 'ratio' | 'value'; readonly atMost: number };

/** One line of the table: what was measured, the floor of the same run beside it, and whether the goal was reached. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  readonly value: number;
  /** The baseline: the same by the simplest implementation, or before a change; in the same unit. */
  readonly floor: number;
  /** `value / floor`: the median over the rounds where there are rounds. */
  readonly ratio: number;
  /** First and third quartile of the ratio over the rounds. */
  readonly spread?: readonly [number, number];
  /** None for a figure that is only informative. */
  readonly goal?: Goal;
  readonly reached?: boolean;
  readonly note?: string;
}

type Measured = Pick<Figure, 'value' | 'floor' | 'ratio' | 'spread'>;

/** @throws Error when a measured value is not a finite number */
export function figure(
  named: Pick<Figure, 'what' | 'unit' | 'note'>,
  { value, floor, ratio, spread }: Measured,
  goal?: Goal,
): Figure {
  for (const number of [value, floor, ratio])
    if (!Number.isFinite(number) || number < 0) throw new Error(`${named.what}: measured ${number}`);
  const measured = { ...named, value, floor, ratio, ...(spread && { spread }) };
  if (!goal) return measured;
  const judged = goal.of === 'ratio' ? ratio : value;
  const reached = 'atLeast' in goal ? judged >= goal.atLeast : judged <= goal.atMost;
  return { ...measured, goal, reached };
}

/** Measured once each. */
export function once(value: number, floor: number): Measured {
  return { value, floor, ratio: value / floor };
}

/** Measured in rounds: the ratio is computed per round, so that a disturbance affects both sides. */
export function paired(values: readonly number[], floors: readonly number[]): Measured {
  const ratios = values.map((value, round) => value / floors[round]!);
  return {
    value: median(values),
    floor: median(floors),
    ratio: median(ratios),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}

/** @param q from 0 to 1; by linear interpolation between neighbours */
export function quantile(values: ArrayLike<number>, q: number): number {
  const sorted = Float64Array.from(values).sort();
  const place = q * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
}

export function median(values: ArrayLike<number>): number {
  return quantile(values, 0.5);
}
