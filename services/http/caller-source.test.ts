import { createCallerSource } from './caller-source';

const KEY = Buffer.alloc(32, 1);
const on = (day: string) => createCallerSource(KEY, () => new Date(`${day}T12:00:00Z`));
const source = on('2026-03-01');

it('is that of a network: of an IPv4 address, or of the /64 of an IPv6 address', () => {
  expect(source('2001:db8::1')).toBe(source('2001:db8::ffff'));
  expect(source('2001:db8:0:1::1')).not.toBe(source('2001:db8::1'));
  expect(source('192.0.2.1')).toBe(source('::ffff:192.0.2.1'));
  expect(source('192.0.2.1')).not.toBe(source('192.0.2.2'));
});

it('does not say the address, and is another one on another day and with another key', () => {
  expect(source('192.0.2.1')).toMatch(/^[0-9a-f]{16}$/);
  expect(on('2026-03-02')('192.0.2.1')).not.toBe(source('192.0.2.1'));
  const other = createCallerSource(Buffer.alloc(32, 2), () => new Date('2026-03-01T12:00:00Z'));
  expect(other('192.0.2.1')).not.toBe(source('192.0.2.1'));
});

it('is the same on every day at a thing, and another one at another thing', () => {
  const at = source('192.0.2.1', 'wallet a');
  expect(at).toMatch(/^[0-9a-f]{16}$/);
  expect(on('2027-11-30')('192.0.2.1', 'wallet a')).toBe(at);
  expect(source('192.0.2.2', 'wallet a')).not.toBe(at);
  expect(source('192.0.2.1', 'wallet b')).not.toBe(at);
  expect(source('192.0.2.1')).not.toBe(at);
});
