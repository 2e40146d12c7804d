/**
 * What is to be read does not exist any more, and will not again. It is no failure: nothing is published, nothing is tried again, and
 * the last reading stays.
 */
export class NothingToObserve extends Error {
  override readonly name = 'NothingToObserve';
}
