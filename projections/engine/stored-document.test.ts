import type { Document } from '../../contracts/ports/documents';
import { toStored, withoutEngineFields } from './stored-document';

const document = { _id: 'a', name: 'x' };
const stored = (): Document => toStored(document, 7, 'topic/0');
const frozen = (): Document => Object.freeze(stored());

test('queries do not see the fields of the engine', () => {
  expect(withoutEngineFields(stored())).toEqual(document);
  expect(withoutEngineFields(frozen())).toEqual(document);
});

test('a frozen document, which several reads may share, is copied once, into a frozen one', () => {
  const shared = frozen();
  const copy = withoutEngineFields(shared);
  expect(withoutEngineFields(shared)).toBe(copy);
  expect(() => (copy['name'] = 'y')).toThrow(TypeError);
});

test('another document can be changed by its only reader', () => {
  const own = stored();
  withoutEngineFields(own)['name'] = 'y';
  expect(withoutEngineFields(own)).toEqual(document);
});
