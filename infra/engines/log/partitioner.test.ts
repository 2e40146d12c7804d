import { murmur2, partitionOf } from './partitioner';

// The vectors of Kafka's own test (UtilsTest.testMurmur2).
test.each<[string, number]>([
  ['21', -973932308],
  ['foobar', -790332482],
  ['a-little-bit-long-string', -985981536],
  ['a-little-bit-longer-string', -1486304829],
  ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
  ['abc', 479470107],
  ['', 275646681],
])('murmur2 of %p is %i', (text, hash) => expect(murmur2(Buffer.from(text))).toBe(hash));

test('a negative hash loses its sign, as in toPositive, and keeps its bits', () => {
  expect(partitionOf('foobar', 6)).toBe((-790332482 & 0x7fffffff) % 6);
  expect(partitionOf('abc', 10)).toBe(7);
  expect(partitionOf('anything', 1)).toBe(0);
});
