/** Of a byte, by CRC-32C (Castagnoli). */
const OF_BYTE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});

export function crc32c(source: Uint8Array): Buffer {
  let crc = -1;
  for (const byte of source) crc = OF_BYTE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  const written = Buffer.alloc(4);
  written.writeInt32LE(~crc);
  return written;
}
