import { assertEventName, broaden, isEvent, type EventName, type PayloadFor } from './events.ts'
import type { WebhookContext, WebhookHandler } from './handler.ts'
import type { KnownPayload, WebhookPayload } from './payload.ts'

/** Handlers by event, at one endpoint. */
export class Router {
  readonly #routes: { name: EventName; handle: WebhookHandler<KnownPayload> }[] = []

  on<Name extends EventName>(name: Name, handler: WebhookHandler<PayloadFor<Name>>): void {
    assertEventName(name)
    // `isEvent` checks the payload before the handler gets it; the type of the list cannot express that.
    this.#routes.push({ name, handle: handler as WebhookHandler<KnownPayload> })
  }

  /**
   * Runs all handlers of the event at once; for an unknown event, those of the broader one.
   * @throws {AggregateError} if one fails, after all have ended
   */
  async route(payload: WebhookPayload, context: WebhookContext): Promise<{ handled: number }> {
    const event = broaden(payload)
    if (event === undefined) return { handled: 0 }
    const wanted = this.#routes.filter(({ name }) => isEvent(event, name))
    const outcomes = await Promise.allSettled(
      wanted.map(async ({ handle }) => handle(event, context)),
    )
    const failures = outcomes.filter((outcome) => outcome.status === 'rejected')
    if (failures.length > 0) {
      const reasons = failures.map(({ reason }) => reason as unknown)
      throw new AggregateError(reasons, `${failures.length} of ${wanted.length} handlers failed.`)
    }
    return { handled: wanted.length }
  }
}
