import { z } from 'zod';
import type { PushSender } from '../../contracts/ports/push-sender';
import { openExpo } from '../engines/push-sender/expo';
import { createOutbox } from '../engines/push-sender/outbox';
import type { Resource } from './feature';
import { securedUrl, type Config } from './settings';

export const PUSH_SETTINGS = {
  PUSH_SENDER: z.enum(['outbox', 'expo']).default('outbox'),
  EXPO_URL: securedUrl.default('https://exp.host'),
  EXPO_ACCESS_TOKEN: z.string().min(1).optional(),
};
export type PushConfig = Config & z.output<z.ZodObject<typeof PUSH_SETTINGS>>;

/** Sends notifications to devices, or nowhere. */
export const pushSender: Resource<PushSender, PushConfig> = {
  async open({ config, metrics, clock }) {
    if (config.PUSH_SENDER === 'outbox') return createOutbox();
    return openExpo({
      url: config.EXPO_URL,
      accessToken: config.EXPO_ACCESS_TOKEN,
      clock,
      onRequest: ({ method, outcome, seconds }) => metrics.pushRequests.observe({ method, outcome }, seconds),
    });
  },
  close: sender => sender.close(),
};
