/** The JSON text of a value, such as a row that is stored as it is served: it is sent without being parsed and printed again. */
export class JsonText<Value> {
  /** Only a type. */
  declare readonly value: Value;
  constructor(readonly text: string) {}

  parse(): Value {
    return JSON.parse(this.text) as Value;
  }

  /** For what serialises it as a part of something else. */
  toJSON(): Value {
    return this.parse();
  }
}

/** An object of which some members, or elements of members, are text. */
type Members<T> = {
  readonly [K in keyof T]:
    T[K] | JsonText<T[K]> | (T[K] extends readonly (infer E)[] ? readonly JsonText<E>[] : never);
};

const isTexts = (value: unknown): value is readonly JsonText<unknown>[] =>
  Array.isArray(value) && value[0] instanceof JsonText;

const textOf = (value: unknown): string => {
  if (value instanceof JsonText) return value.text;
  return isTexts(value) ? jsonArray(value).text : JSON.stringify(value);
};

/** The text of an object, from its members. As `JSON.stringify` does, it leaves out what is undefined. */
export function jsonObject<T extends object>(members: Members<T>): JsonText<T> {
  let text = '';
  for (const [name, value] of Object.entries(members))
    if (value !== undefined) text += `${text && ','}${JSON.stringify(name)}:${textOf(value)}`;
  return new JsonText(`{${text}}`);
}

/** The text of a list, from its elements. */
export function jsonArray<E>(elements: readonly JsonText<E>[]): JsonText<E[]> {
  let text = '';
  // Appended and not joined: the text is copied once, when it is sent.
  for (const element of elements) text += text ? `,${element.text}` : element.text;
  return new JsonText(`[${text}]`);
}
