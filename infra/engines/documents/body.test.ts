import fc from 'fast-check';
import type { Document } from '../../../contracts/ports/documents';
import { runs } from '../../../test/random';
import { bodyOf, documentIn } from './body';

const ROW = JSON.stringify({ comment: 'a "quoted" word and a \n line, ä and 😀', rows: 'x'.repeat(300) });

it('has a long text as it is, and the document again', () => {
  const document: Document = { _id: 'a', row: ROW, n: 1 };
  expect(bodyOf(document)).toBe(`{"_id":"a","n":1}\nrow\n${ROW}`);
  expect(documentIn(bodyOf(document))).toEqual(document);
});

it('is the same for a document that was read back', () => {
  const document: Document = { row: ROW, _id: 'a', other: `${ROW}.`, n: 1 };
  expect(bodyOf(documentIn(bodyOf(document)))).toBe(bodyOf(document));
});

it('is one document without an empty line, whatever its fields and texts', () => {
  const long = { minLength: 250, maxLength: 300 };
  const text = fc.oneof(fc.string(long), fc.string({ ...long, unit: 'binary' }), fc.lorem({ maxCount: 60 }));
  const field = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('row', 'a1', '__proto__', 'constructor'),
  );
  fc.assert(
    fc.property(fc.string(long), fc.dictionary(field, fc.oneof(text, fc.jsonValue())), (_id, fields) => {
      const document = JSON.parse(JSON.stringify({ ...fields, _id })) as Document;
      const body = bodyOf(document);
      expect(documentIn(body)).toEqual(document);
      expect(body).not.toContain('\n\n');
    }),
    runs(300),
  );
});

it.each([
  ['a line', 'x\n'],
  ['a lone surrogate', '\ud800'],
])('has a long text with %s in its JSON', (_, part) => {
  const document: Document = { _id: 'a', text: part.repeat(300) };
  expect(bodyOf(document)).toBe(JSON.stringify(document));
});
