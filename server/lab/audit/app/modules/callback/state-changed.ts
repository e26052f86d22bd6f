import { rfc } from '../../../../checks/rule.ts'
import type { AuditModule } from '../../app-module.ts'
import { judgeCode, sendsState } from './state-modules.ts'
import { poisonCallback } from '../poisoned-sign-in.ts'

export const stateChanged: AuditModule = {
  id: 'callback/state-changed',
  title: 'The callback has another state than the one that the app sent.',
  plan: 'core',
  level: 'error',
  must: 'refuse',
  expected: 'The app does not redeem the code.',
  fix: 'Compare state with the value in the session of this browser before you redeem the code. openid-client: pass expectedState to authorizationCodeGrant().',
  sources: [rfc(6749, '10.12')],
  applies: sendsState,
  provoke: () => poisonCallback({ set: { state: 'state-of-another-sign-in' } }),
  judge: judgeCode,
}
