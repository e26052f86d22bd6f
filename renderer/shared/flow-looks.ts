import type { Tone } from '../ui/badge.tsx'
import type { IconName } from '../ui/icon.tsx'
import type { FlowItem } from '../../server/contract/control-requests.ts'
import type { flowOutcomes, FlowStepOutcome } from '../../server/contract/words/sandbox.ts'

export type FlowOutcome = (typeof flowOutcomes)[number]

export interface Look {
  tone: Tone
  icon: IconName
  word: string
}

/** Shape, tone and word: colour alone is never the sign. */
export const outcomeLooks: Record<FlowOutcome, Look> = {
  pending: { tone: 'accent', icon: 'queued', word: 'in progress' },
  completed: { tone: 'ok', icon: 'check', word: 'completed' },
  refused: { tone: 'bad', icon: 'cross', word: 'refused' },
}

/** Neutral: the user may deny a sign-in, and the app has made no mistake. */
const deniedLook: Look = { tone: 'neutral', icon: 'minus', word: 'denied' }

export function lookOf({ outcome, denied }: Pick<FlowItem, 'outcome' | 'denied'>): Look {
  return denied ? deniedLook : outcomeLooks[outcome]
}

export const stepLooks: Record<FlowStepOutcome, Look> = {
  ok: { tone: 'ok', icon: 'check', word: 'ok' },
  pending: { tone: 'accent', icon: 'queued', word: 'pending' },
  refused: { tone: 'bad', icon: 'cross', word: 'refused' },
  changed: { tone: 'warn', icon: 'warning', word: 'changed by a fault' },
  broken: { tone: 'warn', icon: 'warning', word: 'broken' },
}
