import type { AdviceCertainty, AdviceLevel } from '../../contract/words/advice-words.ts'
import type { Evidence } from './evidence.ts'

/** Mistake of an app or a receiver, which a rule sees in recorded traffic and a module of an audit provokes. */
export interface Check {
  /** Area and name, such as `token/refresh-race`; never renamed, never reused. */
  readonly id: string
  /** Severity; a single occurrence may be less severe. */
  readonly level: AdviceLevel
  /** Mistake and its consequence, or the misbehavior of the sandbox, for a newcomer. */
  readonly title: string
  /** Change to make, with the option's name in common libraries. */
  readonly fix: string
  readonly sources: readonly AdviceSource[]
}

/** Check of recorded traffic. */
export interface Rule extends Check {
  readonly certainty: AdviceCertainty
  /** Cases that look like the mistake and are not reported; each has a test. */
  readonly exceptions: readonly string[]
  /** Examines the record. */
  watch(evidence: Evidence): Watched
}

interface AdviceSource {
  readonly name: string
  readonly section: string
  readonly url: string
}

/** Result of a rule. */
export interface Watched {
  /** Number of requests, sign-ins or attempts that the rule could judge. With 0 the rule has not passed. */
  readonly judged: number
  readonly sightings: readonly Sighting[]
}

/** One occurrence of the mistake. */
export interface Sighting {
  readonly subject: Subject
  /** Tells occurrences of one subject apart: a route, a scope, the name of a parameter; never a value. */
  readonly key: string
  /** Level, where it is lower than the rule's. */
  readonly level?: AdviceLevel
  /** Time on the sandbox clock in milliseconds since 1970. */
  readonly at: number
  readonly evidence: readonly EvidenceItem[]
}

/** Owner of the mistake; neither is known for a client that sends a user access token. */
export interface Subject {
  readonly clientId?: string | undefined
  readonly webhookId?: string | undefined
}

export interface EvidenceItem {
  readonly kind: 'request' | 'attempt'
  readonly id: string
  /** Role of the request or attempt in the mistake. */
  readonly note: string
  /** Name of the parameter or header that is wrong or missing. */
  readonly parameter?: string
  /** Whether the value is a secret, although the name of the parameter does not say so. */
  readonly isSecret?: boolean
}

/** Section of an RFC as a source. */
export function rfc(number: number, section: string): AdviceSource {
  const kind = /^\d/.test(section) ? 'section' : 'appendix'
  return {
    name: `RFC ${number}`,
    section,
    url: `https://www.rfc-editor.org/rfc/rfc${number}#${kind}-${section}`,
  }
}

/** Section of OpenID Connect Core 1.0 as a source. */
export function openIdCore(section: string): AdviceSource {
  const url = `https://openid.net/specs/openid-connect-core-1_0.html`
  return { name: 'OpenID Connect Core', section, url }
}

const webhooksOfHub = {
  name: 'Webhooks of the Hub',
  url: 'https://huggingface.co/docs/hub/webhooks',
}
/** The hub's documentation of webhooks as a source. */
export const webhookGuide: AdviceSource = { ...webhooksOfHub, section: 'Webhook payload' }
/** The section on the secret of a webhook. */
export const webhookSecretGuide: AdviceSource = { ...webhooksOfHub, section: 'Webhook secret' }
