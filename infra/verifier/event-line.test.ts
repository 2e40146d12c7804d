import fc from 'fast-check';
import type { JsonObject } from '../../contracts/json/json';
import { ledgerLine, type LedgerEvent } from '../../contracts/ledger-tree/ledger-line';
import { runs } from '../../test/random';
import { eventInLine } from './event-line';

const event: LedgerEvent = {
  position: 7,
  stream: 'fee-f-1',
  revision: 0,
  id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  type: 'FeeRecorded',
  data: { id: 'f-1' },
  metadata: { v: 1 },
  created: '2026-11-02T09:00:01.000Z',
};
const unit = fc.oneof(
  fc.constantFrom('"', '\\', 'u', 'd', '8', '0', '\u001f', '\u2028', 'ä', '😀'),
  fc.string(),
);
const data = fc.dictionary(fc.string({ unit }), fc.jsonValue({ stringUnit: 'binary' }));

it('is the event of its canonical line, and of no other text of it', () => {
  fc.assert(
    fc.property(data, fc.nat(), (given, at) => {
      const line = ledgerLine({ ...event, data: given as JsonObject });
      expect(eventInLine(Buffer.from(line))).toEqual(JSON.parse(line));
      const bytes = Buffer.from(line);
      const place = at % (bytes.length + 1);
      const spaced = Buffer.concat([bytes.subarray(0, place), Buffer.from(' '), bytes.subarray(place)]);
      const read = eventInLine(spaced);
      // White space in a text is another text.
      if (read) expect(ledgerLine(read)).toBe(spaced.toString());
    }),
    runs(150),
  );
});

it('is none with bytes that are no UTF-8, also where their replacement would be canonical', () => {
  const [before, after] = ledgerLine({ ...event, data: { id: 'x' } }).split('"x"');
  const bytes = (id: Buffer): Buffer => Buffer.concat([Buffer.from(before!), id, Buffer.from(after!)]);
  expect(eventInLine(bytes(Buffer.from('"\ufffd"')))?.data).toEqual({ id: '\ufffd' });
  expect(eventInLine(bytes(Buffer.from([0x22, 0xff, 0x22])))).toBeNull();
  expect(eventInLine(bytes(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])))).toBeNull();
});
