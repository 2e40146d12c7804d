import type { Document } from '../contracts/ports/documents';

/** Makes something of documents: once of a frozen one, which is shared by those who read it again and again. */
export function perDocument<D extends Document, Made>(make: (document: D) => Made): (document: D) => Made {
  const made = new WeakMap<D, Made>();
  return document => {
    const known = made.get(document);
    if (known !== undefined) return known;
    const one = make(document);
    if (Object.isFrozen(document)) made.set(document, one);
    return one;
  };
}
