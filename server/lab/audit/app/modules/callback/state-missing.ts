import { rfc } from '../../../../checks/rule.ts'
import type { AuditModule } from '../../app-module.ts'
import { stateChanged } from './state-changed.ts'
import { judgeCode, sendsState } from './state-modules.ts'
import { poisonCallback } from '../poisoned-sign-in.ts'

export const stateMissing: AuditModule = {
  id: 'callback/state-missing',
  title: 'The callback has no state, although the app sent one.',
  plan: 'core',
  level: 'error',
  must: 'refuse',
  expected: 'The app does not redeem the code.',
  fix: stateChanged.fix,
  sources: [rfc(6749, '10.12')],
  applies: sendsState,
  provoke: () => poisonCallback({ remove: ['state'] }),
  judge: judgeCode,
}
