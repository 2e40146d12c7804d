const SMALLEST = 16 * 1_024;
const LARGEST = 2 ** 20;
/** Of what is not in use. */
const MAX_FREE_BYTES = 16 * 2 ** 20;

/** By the logarithm of their length. */
const free: Buffer[][] = [];
let freeBytes = 0;

const take = (length: number): Buffer => {
  const exponent = Math.ceil(Math.log2(length));
  const found = free[exponent]?.pop();
  if (!found) return Buffer.allocUnsafeSlow(2 ** exponent);
  freeBytes -= found.length;
  return found;
};

const give = (buffer: Buffer): void => {
  if (freeBytes + buffer.length > MAX_FREE_BYTES) return;
  freeBytes += buffer.length;
  (free[Math.log2(buffer.length)] ??= []).push(buffer);
};

/** Of a `ServerResponse`. */
interface Sending {
  once(event: 'finish', onSent: () => void): unknown;
}

/**
 * The parts of an answer as one, in memory that is used again when the response has been handed to the system. V8 would
 * mark the whole heap each time that new answers have taken some tens of megabytes.
 */
export function joinedFor(response: Sending, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length < SMALLEST || length > LARGEST) return Buffer.concat(parts);
  const memory = take(length);
  let end = 0;
  for (const part of parts) {
    memory.set(part, end);
    end += part.length;
  }
  // Not when it fails: it may still be read then.
  response.once('finish', () => give(memory));
  return memory.subarray(0, length);
}
