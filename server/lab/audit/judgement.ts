import type { AdviceLevel } from '../../contract/words/advice-words.ts'
import type { AuditOutcome } from '../../contract/words/audit-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'

/** Result of a module, before it is put together with the module's description. */
export interface Judgement<Item> {
  readonly outcome: AuditOutcome
  /** Behaviour of the program, as a sentence. */
  readonly observed: string
  /** Requests or deliveries that show it. */
  readonly evidence?: readonly Item[]
  /** Level, where it differs from the module's. */
  readonly level?: AdviceLevel
}

function withOutcome(outcome: AuditOutcome) {
  return <Item = never>(
    observed: string,
    evidence?: readonly Item[],
    level?: AdviceLevel,
  ): Judgement<Item> => ({ outcome, observed, ...omitUndefined({ evidence, level }) })
}

export const passed = withOutcome('passed')
export const failed = withOutcome('failed')
export const tolerated = withOutcome('tolerated')
export const inconclusive = withOutcome('inconclusive')
export const notApplicable = withOutcome('not-applicable')
export const notReached = withOutcome('not-reached')

/** Turns a failure into one that a source allows. @param reason sentence */
export function tolerate<Item>(judgement: Judgement<Item>, reason: string): Judgement<Item> {
  return { ...judgement, outcome: 'tolerated', observed: `${judgement.observed} ${reason}` }
}
