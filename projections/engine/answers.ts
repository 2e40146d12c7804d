import { LRUCache } from 'lru-cache';
import { kept } from '../../contracts/http/kept';
import type { Source } from '../../contracts/ports/documents';
import type { Question, Views } from '../views';
import { settle } from './settle';

interface Answer {
  readonly value: unknown;
  /** Of the sources, from before the value was read. */
  readonly version: string;
  readonly size: number;
}

/** Bytes that all answers may take together, their serialised forms included, and that one of them may. */
const MOST = 64 * 2 ** 20;
const LARGEST = 4 * 2 ** 20;

/**
 * Keeps answers while their sources stay as they are; those not asked for the longest make room for others.
 * @param versionOf a text that differs when the sources may have changed; null when that cannot be told
 */
export function createAnswers(versionOf: (sources: readonly Source[]) => string | null): Views['answer'] {
  const answers = new LRUCache<string, Answer>({
    maxSize: MOST,
    maxEntrySize: LARGEST,
    sizeCalculation: ({ size }, asked) => size + asked.length,
  });

  return async <T>(
    { asked, of }: Question,
    workOut: () => Promise<T>,
    lasts: (value: T) => boolean = always,
  ): Promise<T> => {
    // Asked before the documents are read: a commit in between makes the answer look older than it is, never newer.
    const version = versionOf(of);
    if (version === null) return workOut();
    const question = JSON.stringify(asked);
    const known = answers.get(question);
    if (known?.version === version) return known.value as T;
    const value = await workOut();
    if (lasts(value)) {
      answers.set(question, { value, version, size: settle(value) });
      if (typeof value === 'object' && value !== null) kept(value);
    }
    return value;
  };
}

const always = (): boolean => true;
