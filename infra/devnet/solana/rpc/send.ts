import { z } from 'zod';
import { feeOfMessage } from '../svm/fee';
import { Refused } from '../chain/transaction-processor';
import { usableBlockhash } from '../chain/unfinalized';
import { parseMessage, parseTransaction } from '../svm/wire';
import { refusedTransaction } from './error';
import { method, type Method, withContext } from './method';
import { anyContext, context, orEncoding } from './params';
import { simulateTransaction } from './simulate';
import { encodedBytes, readWire, wireEncoding } from './wire-param';

const sendConfig = z.looseObject({
  encoding: wireEncoding.default('base58'),
  skipPreflight: z.boolean().nullish(),
  minContextSlot: context.shape.minContextSlot,
});

/** Methods that take a transaction or a message. */
export const SEND_METHODS: Readonly<Record<string, Method>> = {
  sendTransaction: method([encodedBytes, orEncoding(sendConfig)], async (node, text, config) => {
    const transaction = readWire(text, config.encoding, parseTransaction);
    try {
      return await node.processor.submit(transaction, config.skipPreflight ?? false);
    } catch (error) {
      throw error instanceof Refused ? refusedTransaction(error) : error;
    }
  }),
  simulateTransaction,
  getFeeForMessage: method([encodedBytes, anyContext], (node, text, given) => {
    const message = readWire(text, 'base64', parseMessage);
    const known = usableBlockhash(node.chain.unfinalized, message.blockhash) !== null;
    return withContext(node, given, known ? Number(feeOfMessage(message)) : null);
  }),
};
