import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../contracts/json/json';

const read = (name: string): string => readFileSync(join(__dirname, 'example', name), 'utf8');

/** The texts of the files that PROOFS.md describes: an export, answers with proofs of it, and what checks them. */
export const ledger = read('export.ndjson');
export const answers = read('answers.ndjson').trim().split('\n');
export const keys = read('keys.json');
export const merchant = read('merchant.json');
export const checkpoint = JSON.stringify((JSON.parse(merchant) as { checkpoint: Json }).checkpoint);
