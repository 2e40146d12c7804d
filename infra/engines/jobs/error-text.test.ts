import { errorText } from './error-text';

test('an error is stored as well-formed text of limited length', () => {
  expect(errorText('no')).toBe('no');
  expect(errorText(undefined)).toBe('undefined');
  expect(errorText(new Error('broken'))).toContain('Error: broken');
  expect(errorText('😀'.repeat(3_000).slice(1))).toHaveLength(4_000);
  expect(errorText('a\0b')).toBe('a\ufffdb');
});
