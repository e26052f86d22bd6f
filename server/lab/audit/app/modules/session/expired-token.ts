import { rfc } from '../../../../checks/rule.ts'
import type { AuditModule } from '../../app-module.ts'
import { canBeUsed, judgeDeadToken, whileTokenExpires } from './session.ts'

const common = {
  plan: 'core',
  level: 'error',
  must: 'accept',
  expected:
    'The app refreshes the token or asks the user to sign in, and uses the refused token at most twice.',
  fix: 'When the Hub responds with 401, refresh once; if that fails, end the session and start a sign-in.',
  sources: [rfc(6750, '3.1')],
  applies: canBeUsed,
  judge: judgeDeadToken,
} as const

export const expiredToken: AuditModule = {
  ...common,
  id: 'session/expired-token',
  title: 'The user comes back after the access token has expired.',
  provoke: () => [
    { do: 'sign-in' },
    whileTokenExpires,
    { do: 'use' },
    { do: 'use' },
    { do: 'use' },
  ],
}

export const revoked: AuditModule = {
  ...common,
  id: 'session/revoked',
  title: 'The user has revoked the access of the app in the settings of the Hub.',
  provoke: () => [{ do: 'sign-in' }, { do: 'revoke' }, { do: 'use' }, { do: 'use' }, { do: 'use' }],
}
