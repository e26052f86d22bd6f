import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Delivery whose job has the token of the call that is under way. The functions of the hub do not know it: the webhook
 * engine reads it when an event of the call is published.
 */
export const deliveryOfCall = new AsyncLocalStorage<string>()
