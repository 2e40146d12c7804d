import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request } from 'express';
import { addressKey } from '../../contracts/http/address-key';
import type { ArrivedRequest } from './arrived-request';
import { callerAddress } from './caller-address';
import { countPart } from './unfinished';
import { unsentBytesOf, type Backlog } from './unsent';

/** Of an answer that waits with its request, beside what it says. */
const ANSWER_BYTES = 6 * 1024;

type MessageClasses = ReturnType<typeof createMessageClasses>;

const messageClasses = new WeakMap<Express, MessageClasses>();

/** Of the requests and responses of all servers of an app. */
export function messageClassesOf(app: Express): MessageClasses {
  const classes = messageClasses.get(app) ?? createMessageClasses(app);
  messageClasses.set(app, classes);
  return classes;
}

/**
 * Requests and responses are created with the prototypes that Express requires: otherwise Express changes the prototype of
 * each object, which V8 then handles several times slower.
 */
function createMessageClasses(app: Express) {
  class AppRequest extends IncomingMessage implements ArrivedRequest {
    readonly arrivedAt = performance.now();

    override push(part: Buffer | null, encoding?: BufferEncoding): boolean {
      return countPart(this, part) && super.push(part, encoding);
    }
  }
  /** Counts what its client has not read: see `createUnsentBytes`. */
  class AppResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
    #backlog: Backlog | undefined;

    override write(...args: unknown[]): boolean {
      const hasRoom = super.write(...(args as [unknown]));
      if (!hasRoom) this.#count();
      return hasRoom;
    }

    override end(...args: unknown[]): this {
      super.end(...(args as [unknown]));
      this.#count();
      return this;
    }

    #count(): void {
      const bytes = this.writableLength;
      if (bytes > 0) (this.#backlog ??= this.#newBacklog()).update(ANSWER_BYTES + bytes);
    }

    #newBacklog(): Backlog {
      const caller = addressKey(callerAddress(this.req as unknown as Request));
      // Not `this.destroy()`, which waits for the answers before it.
      const backlog = unsentBytesOf(app).of(caller, () => void this.req.socket.destroy());
      const sent = (): void => backlog.update(0);
      this.on('drain', sent).once('finish', sent).once('close', sent);
      return backlog;
    }
  }
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Express['request'];
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Express['response'];
  return { AppRequest, AppResponse };
}
