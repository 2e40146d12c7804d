/** The nodes that run in a thread, each by a number. */
export class RunningNodes<Node extends { close(): Promise<void> }> {
  readonly #nodes = new Map<number, Node>();
  #started = 0;

  add(node: Node): number {
    this.#nodes.set(++this.#started, node);
    return this.#started;
  }

  /** @throws when the node was closed */
  get(number: number): Node {
    const node = this.#nodes.get(number);
    if (!node) throw new Error('the network is closed');
    return node;
  }

  async close(number: number): Promise<void> {
    const node = this.get(number);
    this.#nodes.delete(number);
    await node.close();
  }
}
