const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/**
 * Murmur2 in the form that Kafka's producers use to choose the partition of a key
 * (`org.apache.kafka.common.utils.Utils.murmur2`), as a signed 32-bit integer.
 */
export function murmur2(bytes: Buffer): number {
  let hash = SEED ^ bytes.length;
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    let word = Math.imul(bytes.readInt32LE(at), M);
    word ^= word >>> 24;
    hash = Math.imul(hash, M) ^ Math.imul(word, M);
  }
  if (whole < bytes.length) hash = Math.imul(hash ^ bytes.readUIntLE(whole, bytes.length - whole), M);
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}

/** The partition that Kafka's default partitioner gives a key: `toPositive(murmur2(key)) % partitions`. */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}
