/**
 * An answer that is written while it is worked out: the parts, one after the other, are its JSON text. The first is
 * there before the head is sent, so that what is wrong from the start is still told as a problem.
 */
export class Streamed<Body> {
  /** Of what the parts are the text; there is no such member. */
  declare readonly body: Body;
  private constructor(
    private readonly first: string,
    private readonly rest: AsyncIterator<string>,
  ) {}

  static async begun<Body>(parts: AsyncIterable<string>): Promise<Streamed<Body>> {
    const rest = parts[Symbol.asyncIterator]();
    const { value, done } = await rest.next();
    return new Streamed<Body>(done ? '' : value, rest);
  }

  async *parts(): AsyncIterable<string> {
    yield this.first;
    yield* { [Symbol.asyncIterator]: () => this.rest };
  }

  /** The whole of it. */
  async text(): Promise<string> {
    let text = '';
    for await (const part of this.parts()) text += part;
    return text;
  }
}
