import type { Tone } from '../../../ui/badge.tsx'
import type { IconName } from '../../../ui/icon.tsx'
import type {
  FlowActor,
  FlowKind,
  flowOutcomes,
  FlowStepOutcome,
} from '../../../../server/contract/words/sandbox.ts'

export type FlowOutcome = (typeof flowOutcomes)[number]

export const kindTitles: Record<FlowKind, string> = {
  'authorization-code': 'Sign-in with a browser',
  'device-code': 'Sign-in of a device',
  'token-exchange': 'Token exchange',
  refresh: 'Refresh',
  registration: 'App registration',
  'metadata-document': 'Client metadata document',
}

interface Look {
  tone: Tone
  icon: IconName
  word: string
}

/** Shape, tone and word: never colour alone. */
export const outcomeLooks: Record<FlowOutcome, Look> = {
  pending: { tone: 'accent', icon: 'queued', word: 'in progress' },
  completed: { tone: 'ok', icon: 'check', word: 'completed' },
  refused: { tone: 'bad', icon: 'cross', word: 'refused' },
}

export const stepLooks: Record<FlowStepOutcome, Look> = {
  ok: { tone: 'ok', icon: 'check', word: 'went well' },
  pending: { tone: 'accent', icon: 'queued', word: 'pending' },
  refused: { tone: 'bad', icon: 'cross', word: 'refused' },
  broken: { tone: 'warn', icon: 'warning', word: 'broken by a fault rule' },
}

/** Where a drawing has no name of its own for somebody. */
export const actorNames: Record<FlowActor, string> = {
  browser: 'Browser',
  app: 'App',
  device: 'Device',
  hub: 'Hub',
}
