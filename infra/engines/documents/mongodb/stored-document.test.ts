import { BSON } from 'mongodb';
import type { Document } from '../../../../contracts/ports/documents';
import { fromStored, toStored } from './stored-document';

const throughBson = (document: Document): Document =>
  fromStored(BSON.deserialize(BSON.serialize(toStored(document))) as Document);

test('a document is stored with its own fields', () => {
  const document = { _id: 'a', amount: '0.10', nested: { list: [{ n: 1.5 }, null] } };
  expect(toStored(document)).toBe(document);
  expect(throughBson(document)).toEqual(document);
});

test.each([
  { 'a.b': 1, $set: { 'c.$d': true }, x$y: 2 },
  { '\0': { 'é\0': '\0' }, '': 3 },
  { '%0024a': 1, '%': '%002e' },
  { list: [{ '.': ['\ud800', 'a\udc00b', '😀'] }], '\ud800': '\udfff' },
])('%j is read as it was written', fields => {
  const document = { _id: 'a', ...fields };
  expect(throughBson(document)).toEqual(document);
  const names = JSON.stringify(Object.keys(toStored(document)));
  expect(names).not.toMatch(/[.\0]|"\$/);
});
