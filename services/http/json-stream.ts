/**
 * A response that is written while it is computed: the concatenated parts are its JSON text. The first part is computed
 * before the head is sent, so that an early failure is still answered with a problem document.
 */
export class JsonStream<Body> {
  /** Only a type: that of the value of the JSON text. */
  declare readonly body: Body;
  private constructor(
    private readonly first: string,
    private readonly rest: AsyncIterator<string>,
  ) {}

  static async start<Body>(parts: AsyncIterable<string>): Promise<JsonStream<Body>> {
    const rest = parts[Symbol.asyncIterator]();
    const { value, done } = await rest.next();
    return new JsonStream<Body>(done ? '' : value, rest);
  }

  async *parts(): AsyncIterable<string> {
    yield this.first;
    yield* { [Symbol.asyncIterator]: () => this.rest };
  }

  /** All parts, concatenated. */
  async text(): Promise<string> {
    let text = '';
    for await (const part of this.parts()) text += part;
    return text;
  }
}
