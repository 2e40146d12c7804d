import { murmur2 } from './murmur2';

/** The partition that Kafka's default partitioner gives a key: `toPositive(murmur2(key)) % partitions`. */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions;
}
