import { Buffer } from 'node:buffer';
import type { LogMessage } from '../ports/log';
import { copyOf, isInTime, VALID_UNTIL } from './removed-documents';

const UNTIL = '2026-03-01T12:00:00.000Z';
const record = (
  timestamp: string,
  headers: LogMessage['headers'] = { [VALID_UNTIL]: UNTIL },
): LogMessage => ({
  topic: 'topic',
  partition: 0,
  offset: 7,
  key: 'key',
  value: Buffer.from('value'),
  headers,
  timestamp: Date.parse(timestamp),
});

it('a record counts when the log has stored it in time, and one without a limit always', () => {
  expect(isInTime(record(UNTIL))).toBe(true);
  expect(isInTime(record('2026-03-01T12:00:00.001Z'))).toBe(false);
  expect(isInTime(record('2036-03-01T12:00:00.000Z', {}))).toBe(true);
});

it('a copy of the log, which is stored later, counts if the original does', () => {
  const stored = '2036-03-01T12:00:00.000Z';
  const copied = (original: LogMessage): LogMessage => {
    const { key, value, headers = {} } = copyOf(original);
    return { ...record(stored, headers), key, value };
  };
  expect(isInTime(copied(record(UNTIL)))).toBe(true);
  expect(isInTime(copied(record('2026-03-01T12:00:00.001Z')))).toBe(false);
  const { value, headers } = copied(record(UNTIL, { [VALID_UNTIL]: UNTIL, other: 'x' }));
  expect({ value: value.toString(), headers }).toEqual({ value: 'value', headers: { other: 'x' } });
});
