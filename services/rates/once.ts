/** Computes each value once for what is asked for several times, such as one token under several names. */
export function once<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>();
  return key => {
    if (!values.has(key)) values.set(key, compute(key));
    return values.get(key)!;
  };
}
