import { assertEventName, broaden, isEvent, type EventName, type PayloadFor } from './events.ts'
import type { WebhookContext, WebhookHandler } from './handler.ts'
import type { KnownPayload, WebhookPayload } from './payload.ts'

/** Handlers by event, behind one endpoint. */
export class Router {
  readonly #routes: { name: EventName; handle: WebhookHandler<KnownPayload> }[] = []

  on<Name extends EventName>(name: Name, handler: WebhookHandler<PayloadFor<Name>>): void {
    assertEventName(name)
    // `isEvent` has told the payload before the handler sees it; the list cannot express that.
    this.#routes.push({ name, handle: handler as WebhookHandler<KnownPayload> })
  }

  /**
   * Runs every handler that listens to the event, or to the broader one that an unknown event is to
   * be taken for, all at once.
   * @throws {AggregateError} when any of them fails, after all have ended
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
