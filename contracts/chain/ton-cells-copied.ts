import { Buffer } from 'node:buffer';
import { BitString } from '@ton/core';

/*
 * To be imported wherever addresses are read from cells. `@ton/core` gives out the bytes of a cell without a copy, and writes
 * the rewrite prefix of an anycast address (`anycast_info` of block.tlb) into them: reading an address changed its cell, and
 * every message that shares it.
 */

const { subbuffer } = BitString.prototype;

BitString.prototype.subbuffer = function (offset, length) {
  const bytes = subbuffer.call(this, offset, length);
  return bytes && Buffer.from(bytes);
};
