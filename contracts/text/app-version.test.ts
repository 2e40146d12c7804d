import { isLaterVersion } from './app-version';

it.each([
  ['2.10', '2.9', true],
  ['2.9', '2.10', false],
  ['2.0.1', '2', true],
  ['2', '2.0.0', false],
  ['2.0', '2', false],
  ['1.9.9.9', '2', false],
])('whether %s is later than %s: %s', (version, than, expected) => {
  expect(isLaterVersion(version, than)).toBe(expected);
});
