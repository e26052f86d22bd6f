import type { Tone } from '../ui/badge.tsx'
import type { IconName } from '../ui/icon.tsx'
import type { FlowStep } from '../../server/contract/control-flows.ts'
import type { FlowItem } from '../../server/contract/control-requests.ts'
import { resultOf } from '../../server/contract/flow-result.ts'
import type { FlowResult, FlowStepOutcome } from '../../server/contract/words/sandbox-words.ts'

export interface Look {
  tone: Tone
  icon: IconName
  word: string
}

/** Shape, tone and word: colour alone is never the sign. */
export const outcomeLooks: Record<FlowResult, Look> = {
  pending: { tone: 'accent', icon: 'queued', word: 'pending' },
  completed: { tone: 'ok', icon: 'check', word: 'completed' },
  refused: { tone: 'bad', icon: 'cross', word: 'refused' },
  // Neutral: the user may deny a sign-in or let it be, and the app has made no mistake.
  denied: { tone: 'neutral', icon: 'minus', word: 'denied' },
  expired: { tone: 'neutral', icon: 'clock', word: 'expired' },
}

export function lookOf(flow: Pick<FlowItem, 'outcome' | 'denied' | 'expired'>): Look {
  return outcomeLooks[resultOf(flow)]
}

/** Look of a step: a denial has that of a denied sign-in. */
export function lookOfStep({ outcome, denied }: Pick<FlowStep, 'outcome' | 'denied'>): Look {
  return denied === true ? outcomeLooks.denied : stepLooks[outcome]
}

export const stepLooks: Record<FlowStepOutcome, Look> = {
  ok: { tone: 'ok', icon: 'check', word: 'ok' },
  pending: { tone: 'accent', icon: 'queued', word: 'pending' },
  refused: { tone: 'bad', icon: 'cross', word: 'refused' },
  changed: { tone: 'warn', icon: 'warning', word: 'changed by a fault' },
  broken: { tone: 'warn', icon: 'warning', word: 'broken' },
}
