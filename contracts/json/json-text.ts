import { readJson } from './read-json';

/** The JSON text of a value, such as a row that is stored as it is served: it is sent without being parsed and printed again. */
export class JsonText<Value> {
  /** Only a type. */
  declare readonly value: Value;
  #text: string | undefined;
  /** Its UTF-8; that of a page in the parts it is made of. */
  #parts: readonly Buffer[] | undefined;

  constructor(json: string | readonly Buffer[]) {
    if (typeof json === 'string') this.#text = json;
    else this.#parts = json;
  }

  get text(): string {
    return (this.#text ??= this.bytes.toString());
  }

  /** As UTF-8, which is made once. */
  get bytes(): Buffer {
    const [first, ...others] = this.parts;
    if (others.length === 0) return first!;
    const whole = Buffer.concat(this.parts);
    this.#parts = [whole];
    return whole;
  }

  /** The bytes one after the other, without a copy. */
  get parts(): readonly Buffer[] {
    return (this.#parts ??= [Buffer.from(this.#text!)]);
  }

  /** Bytes that it takes, approximately. */
  get size(): number {
    return this.#parts?.reduce((sum, { length }) => sum + length, 0) ?? this.#text!.length;
  }

  parse(): Value {
    return readJson(this.text) as Value;
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

const OPENING = Buffer.from('[');
const COMMA = Buffer.from(',');
const CLOSING = Buffer.from(']');

/** The elements are copied once, when they are sent. */
const listOf = (elements: readonly JsonText<unknown>[]): Buffer[] => {
  const parts: Buffer[] = [OPENING];
  for (const [place, element] of elements.entries()) {
    if (place > 0) parts.push(COMMA);
    parts.push(element.bytes);
  }
  parts.push(CLOSING);
  return parts;
};

const partsOf = (value: unknown): readonly Buffer[] => {
  if (value instanceof JsonText) return value.parts;
  return isTexts(value) ? listOf(value) : [Buffer.from(JSON.stringify(value))];
};

/** The text of an object, from its members. As `JSON.stringify` does, it leaves out what is undefined. */
export function jsonObject<T extends object>(members: Members<T>): JsonText<T> {
  const parts: Buffer[] = [];
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    parts.push(Buffer.from(`${parts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`), ...partsOf(value));
  }
  parts.push(Buffer.from(parts.length === 0 ? '{}' : '}'));
  return new JsonText(parts);
}

/** The text of a list, from its elements. */
export function jsonArray<E>(elements: readonly JsonText<E>[]): JsonText<E[]> {
  return new JsonText(listOf(elements));
}
