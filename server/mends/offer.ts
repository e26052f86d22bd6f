import type { Mend } from '../contract/control-mends.ts'
import type { OAuthDeps } from '../oauth/deps.ts'
import type { WebhookEngine } from '../webhooks/engine.ts'

export interface MendDeps extends OAuthDeps {
  readonly engine: Pick<WebhookEngine, 'idle'>
}

/** A mend as it is found: what it is, and how it is made. */
export interface Offer {
  mend: Omit<Mend, 'id'>
  /** Through what settings, registration, accounts and the clock do themselves, with their refusals. */
  readonly make: () => unknown
}

/** A member of a fixtures file as it stands there. */
export function fixturesLine(key: string, value: unknown): string {
  return `${JSON.stringify(key)}: ${JSON.stringify(value, null, 2)}`
}
