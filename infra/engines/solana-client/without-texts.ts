import { SolanaJSONRPCError, SolanaJSONRPCErrorCode } from '@solana/web3.js';

const NAMES = new Map<unknown, string>(
  Object.entries(SolanaJSONRPCErrorCode).map(([name, code]) => [
    code,
    name
      .replace(/^JSON_RPC_(?:SERVER_ERROR_)?/, '')
      .toLowerCase()
      .replaceAll('_', ' '),
  ]),
);

/** What the code of an error says: the text beside it is the node's, of any length, and in no log. */
export function nameOfCode(code: unknown): string {
  return NAMES.get(code) ?? 'error';
}

/** A call whose errors quote nothing that the node wrote, as those of web3.js do. */
export function withoutTexts<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    if (error instanceof SolanaJSONRPCError)
      throw new SolanaJSONRPCError({
        code: error.code,
        message: `${nameOfCode(error.code)} (${error.code})`,
      });
    // Of superstruct, by which web3.js checks answers: it has the value.
    if ((error as Error | null)?.name === 'StructError') throw new Error('the answer is of an unknown form');
    throw error;
  });
}
