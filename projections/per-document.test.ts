import { perDocument } from './per-document';

test('something is made once of a document that is shared, and each time of one that may change', () => {
  const made = perDocument((document: { readonly _id: string }) => ({ of: document._id }));
  const [shared, own] = [Object.freeze({ _id: 'a' }), { _id: 'b' }];
  expect(made(shared)).toEqual({ of: 'a' });
  expect(made(shared)).toBe(made(shared));
  expect(made(own)).toEqual({ of: 'b' });
  expect(made(own)).not.toBe(made(own));
});
