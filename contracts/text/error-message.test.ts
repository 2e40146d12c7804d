import { messageOf } from './error-message';

it.each([
  [new RangeError('too large'), 'too large'],
  [{ message: 'like an error' }, 'like an error'],
  ['a string', 'a string'],
  [404, '404'],
  [null, 'null'],
  [undefined, 'undefined'],
  [{ message: 7 }, '[object Object]'],
])('of %p', (thrown, message) => expect(messageOf(thrown)).toBe(message));
