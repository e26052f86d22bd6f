import { rfc } from '../../../../checks/rule.ts'
import type { AuditModule, PoisonFault } from '../../app-module.ts'
import { judgeFailureAndNext, judgeUpright } from '../judgements.ts'
import { poisonTokens } from '../poisoned-sign-in.ts'

type FailureModule = Pick<AuditModule, 'title'> & {
  name: string
  plan?: 'core'
  effect: Omit<PoisonFault, 'match'>
}

const failures: readonly FailureModule[] = [
  {
    name: 'server-error',
    title: 'The token endpoint is out of order.',
    plan: 'core',
    effect: { status: 503 },
  },
  {
    name: 'proxy-page',
    title: 'A proxy responds with its error page in place of the token endpoint.',
    effect: { break: 'html' },
  },
  {
    name: 'cut',
    title: 'The connection to the token endpoint breaks before the response.',
    effect: { break: 'reset' },
  },
  {
    name: 'half',
    title: 'The connection to the token endpoint breaks in the middle of the response.',
    effect: { break: 'truncate' },
  },
]

const common = {
  level: 'error',
  must: 'refuse',
  expected:
    'The app signs nobody in, explains why, and sends the code at most once more, because it works once. The next sign-in succeeds.',
  fix: 'Check the status and the content type before you read the response, catch network errors, and show a page that offers a new sign-in. Keep nothing of the failed one.',
  sources: [rfc(6749, '5.2')],
} as const

export const tokenFailures: readonly AuditModule[] = [
  ...failures.map(({ name, plan, title, effect }): AuditModule => ({
    ...common,
    id: `token/${name}`,
    title,
    plan: plan ?? 'full',
    provoke: () => [...poisonTokens(effect), { do: 'probe' }, { do: 'sign-in' }],
    judge: judgeFailureAndNext,
  })),
  {
    ...common,
    id: 'token/slow',
    title: 'The token endpoint takes 8 seconds.',
    plan: 'full',
    expected: 'The app waits, or gives up with an explanation.',
    fix: 'Give the token request a deadline, and show a page when it has passed.',
    provoke: () => poisonTokens({ delay: '8s' }),
    judge: judgeUpright,
  },
]
