import { clientId } from '../client/client-id';

/** What is no client id, with what is wrong with it. */
export const MALFORMED_IDS: readonly (readonly [string, string])[] = [
  ['empty', ''],
  ['one character short', clientId().slice(1)],
  ['one character long', `${clientId()}0`],
  ['a single character', 'a'],
  ['not hexadecimal', `${clientId().slice(1)}g`],
  ['with 0x in front', `0x${clientId().slice(2)}`],
  ['with a space', ` ${clientId().slice(1)}`],
  ['base64', Buffer.from(clientId(), 'hex').toString('base64')],
  ['digits that are not ASCII', '\u0661'.repeat(64)],
  ['a zero byte', `${clientId().slice(1)}\0`],
];

/** A query without one of its parameters. */
export function withoutParameter(
  query: Readonly<Record<string, string>>,
  parameter: string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([name]) => name !== parameter));
}
