import { type Check, webhookGuide } from '../../checks/rule.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { type ModuleDescription, type Verdict, verdictOf } from '../verdict.ts'
import { concealIn } from './conceal.ts'
import type { Reaction, Receiver } from './audited-receiver.ts'
import { failed, passed, type Judgement } from '../judgement.ts'

/** One test of a receiver: what it is sent, and how it is judged by its responses and effects. */
export interface ReceiverModule extends ModuleDescription {
  readonly provoke: (receiver: Receiver) => Promise<ReceiverJudgement>
}

interface Described
  extends Omit<Check, 'sources'>, Pick<ReceiverModule, 'sends' | 'expected' | 'provoke'> {
  /** Smallest plan that runs it. */
  readonly plan: 'core' | 'full'
  readonly sources?: Check['sources']
  readonly needs?: 'effects'
}

/** Completes the description of a module. Default source: the Hub's guide to webhooks. */
export function receiverModule({ plan, sources, ...about }: Described): ReceiverModule {
  return {
    kind: 'receiver',
    plans: plan === 'core' ? ['core', 'full'] : ['full'],
    sources: [...(sources ?? [webhookGuide])],
    ...about,
  }
}

/** Section of the Standard Webhooks specification as a source. */
export function standardWebhooks(section: string): Check['sources'][number] {
  return {
    name: 'Standard Webhooks',
    section,
    url: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  }
}

/** A request that was sent, with its reaction. */
export interface Sighting {
  /** The request, such as `the first half of the secret`. */
  readonly what: string
  readonly reaction: Reaction
}

const hasAccepted = ({ status = 0 }: Reaction): boolean => status >= 200 && status < 300
/** A delivery whose response never ends has failed, and so has an attempt of an audit. */
export const isSuccess = (reaction: Reaction): boolean =>
  hasAccepted(reaction) && reaction.error === undefined
export const isRefusal = ({ status = 0 }: Reaction): boolean => status >= 400 && status < 500

/** Says what the receiver did: `responded with 401`. */
export function describeReaction(reaction: Reaction): string {
  const { status, error } = reaction
  if (status === undefined) return `gave no response: ${error?.message ?? 'unknown reason'}`
  const ending = hasAccepted(reaction) && error !== undefined ? `, but ${error.message}` : ''
  return `responded with ${status}${ending}`
}

/** Judgement of a receiver by its reactions. */
export type ReceiverJudgement = Judgement<Sighting>

/** Builds the verdict of a module without the secret, which a receiver may repeat anywhere. */
export function verdictOnReceiver(
  module: ReceiverModule,
  judgement: ReceiverJudgement,
  tookMs: number,
  secret: string | undefined,
): Verdict {
  const evidence = (judgement.evidence ?? []).map(({ what, reaction }) => ({
    ...omitUndefined({ id: reaction.deliveryId }),
    note: concealIn(
      `${what}: ${describeReaction(reaction)} after ${Math.round(reaction.durationMs)} ms`,
      secret,
    ),
  }))
  const observed = concealIn(judgement.observed, secret)
  return verdictOf(module, { ...judgement, observed, evidence }, tookMs)
}

/** Judges requests that a receiver has to accept. The first one that it does not accept decides. */
export function judgeAccepted(sightings: readonly Sighting[]): ReceiverJudgement {
  const refused = sightings.find(({ reaction }) => !isSuccess(reaction))
  if (refused === undefined) return passed('The receiver accepted it.', sightings)
  return failed(`The receiver ${describeReaction(refused.reaction)} to ${refused.what}.`, [refused])
}

/** Describes a module without its function. */
export function describeReceiverModule({
  provoke: _provoke,
  ...about
}: ReceiverModule): ModuleDescription {
  return about
}
