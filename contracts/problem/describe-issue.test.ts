import { z } from 'zod';
import { DESCRIBED } from './describe-issue';

const method = z.discriminatedUnion('chain', [
  z.object({ chain: z.literal('ton') }),
  z.object({ chain: z.literal('solana') }),
]);

it.each<[string, z.ZodType, unknown, string[], string]>([
  ['a member that is not there', z.object({ to: z.string() }), {}, ['to'], 'is missing'],
  ['a choice that is not there', z.object({ to: z.enum(['a']) }), {}, ['to'], 'is missing'],
  ['nothing of several', z.object({ to: z.union([z.string(), z.int()]) }), {}, ['to'], 'is missing'],
  ['the member that tells which it is', method, {}, ['chain'], 'is missing'],
  ['another one of it', method, { chain: 'x' }, ['chain'], 'must be one of ton, solana'],
  ['another choice', z.enum(['a', 'b']), { $ne: null }, [], 'must be one of a, b'],
  ['another value', z.literal(true), false, [], 'must be true'],
  ['no UUID', z.uuid(), 'x', [], 'must be a UUID'],
  ['a day without its month', z.iso.date(), '2026', [], 'must be a day such as 2026-10-03'],
  ['a number that is too large', z.int().max(10), 60, [], 'must be at most 10'],
  ['a number that is too small', z.number().gt(0), 0, [], 'must be more than 0'],
  ['an empty text', z.string().min(1), '', [], 'must have at least 1 character'],
  ['a long list', z.array(z.int()).max(2), [1, 2, 3], [], 'must have at most 2 items'],
  ['another type', z.string(), 7, [], 'must be a string'],
  ['a text for a number', z.number(), '1', [], 'must be a number'],
  ['a fraction', z.int(), 1.5, [], 'must be a whole number'],
  ['a list for an object', z.object({}), [], [], 'must be an object'],
  ['an object for a list', z.array(z.int()), {}, [], 'must be a list'],
  ['what its schema describes', z.string('a name'), undefined, [], 'a name'],
])('says of %s what is wrong with it', (_what, schema, value, path, message) => {
  const [issue] = schema.safeParse(value, DESCRIBED).error!.issues;
  expect([issue!.path, issue!.message]).toEqual([path, message]);
});
