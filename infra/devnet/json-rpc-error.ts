/** An error of JSON-RPC 2.0: https://www.jsonrpc.org/specification#error_object */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}
