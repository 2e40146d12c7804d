import type { Filter as MongoFilter } from 'mongodb';
import type { Plan } from '../plan';
import type { Scalar } from '../../../../contracts/ports/documents';
import type { Slice, Step } from '../slices';
import { pathOf, type Stored } from './layout';

type Condition = Record<string, unknown>;

/** The kinds of values in their order, each as a condition that all of the kind meet. */
const KINDS: readonly (readonly [kind: string, all: Condition])[] = [
  ['number', { $gte: -Infinity }],
  ['string', { $gte: '' }],
  ['boolean', { $gte: false }],
];

/** MongoDB compares within one kind only: what is beyond a value are those of its kind, and then the other kinds. */
const beyond = ({ is, value }: Step, alone: boolean): Condition[] => {
  if (is === '=') return [{ $eq: value }];
  if (value === null) return [{ $ne: null }];
  const same = { [is === '>' ? '$gt' : '$lt']: value };
  const rank = KINDS.findIndex(([kind]) => kind === typeof value);
  if (alone) return [same];
  const others = is === '>' ? KINDS.slice(rank + 1) : KINDS.slice(0, rank).reverse();
  return [same, ...others.map(([, all]) => all)];
};

/** The filters of a slice, to be read one after the other. Only its last step can lead beyond a value. */
export function filtersOf(plan: Plan, { equals, steps }: Slice): MongoFilter<Stored>[] {
  const fixed: Condition[] = [...equals].map(([field, values]: [string, readonly Scalar[]]) => ({
    [pathOf(field)]: values.length === 1 ? { $eq: values[0]! } : { $in: values },
  }));
  const { range } = plan;
  for (const { comparison, value } of range?.bounds ?? [])
    fixed.push({ [pathOf(range!.field)]: { [`$${comparison}`]: value } });
  const last = steps.at(-1);
  for (const step of steps.slice(0, -1)) fixed.push({ [pathOf(step.field)]: { $eq: step.value } });
  const ends = last
    ? beyond(last, last.field === '_id' || last.field === range?.field).map(end => ({
        [pathOf(last.field)]: end,
      }))
    : [{}];
  return ends.map(end => ({ $and: [...fixed, end, { body: { $exists: true } }] }) as MongoFilter<Stored>);
}
