import { because } from '../../../../checks/evidence.ts'
import { rfc } from '../../../../checks/rule.ts'
import { parseScope } from '../../../../../hub/oauth/scope.ts'
import type { AuditModule, ModuleEvidence, Step } from '../../app-module.ts'
import { judgeUpright } from '../judgements.ts'
import { failed } from '../../../judgement.ts'
import { poisonCallback } from '../poisoned-sign-in.ts'

const use: Step = { do: 'use' }

/** Refused requests after which an app has not read what it was granted. One may be how it finds out. */
const mostRefused = 1

export const narrower: AuditModule = {
  id: 'token/narrower',
  title: 'The user is granted fewer scopes than the app asked for.',
  plan: 'core',
  level: 'error',
  must: 'accept',
  expected: 'The app does without the other scopes, or explains what it needs.',
  fix: 'Read scope of the token response. Where a scope is missing, switch the feature off, or say what the app needs.',
  sources: [rfc(6749, '3.3'), rfc(6749, '5.1')],
  applies: ({ asked }) =>
    parseScope(asked.get('scope') ?? '').length < 2
      ? 'The app asks for one scope only.'
      : undefined,
  provoke: ({ driver, asked }) => [
    ...poisonCallback({ scope: leastOf(asked) }),
    ...(driver.canUse ? [use, use] : []),
  ],
  judge(evidence) {
    const refused = evidence.tokenUses.filter(({ record }) => record.status === 403)
    const again = refused.find((one) => isRepeated(refused, one))
    if (evidence.hits === 0 || again === undefined) return judgeUpright(evidence)
    return failed(
      'The app used the token again for what it was refused.',
      refused
        .filter(({ path }) => path === again.path)
        .slice(0, 3)
        .map((one) => because(one, 'uses the token, which lacks the scope')),
    )
  },
}

type Uses = ModuleEvidence['tokenUses']

/** A refreshed token is another try. */
function isRepeated(refused: Uses, { path, bearer }: Uses[number]): boolean {
  const same = refused.filter((other) => other.path === path && other.bearer === bearer)
  return same.length > mostRefused
}

/** One of the scopes; without openid there would be no ID token, which is another module. */
function leastOf(asked: URLSearchParams): string {
  const scopes = parseScope(asked.get('scope') ?? 'openid')
  return scopes.includes('openid') ? 'openid' : (scopes[0] ?? 'openid')
}
