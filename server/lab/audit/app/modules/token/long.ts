import { rfc } from '../../../../checks/rule.ts'
import type { AuditModule } from '../../app-module.ts'
import { poisonTokens } from '../poisoned-sign-in.ts'

export const longTokens: AuditModule = {
  id: 'token/long',
  title: 'The tokens are as long as tokens may become: 1,600 and 900 characters.',
  plan: 'core',
  level: 'error',
  must: 'accept',
  expected: 'The app accepts the sign-in.',
  fix: 'Set no limit to the length of a token. A cookie holds 4 KiB: keep tokens in a session on the server.',
  sources: [rfc(6749, '1.4'), rfc(6749, 'A.12')],
  provoke: () => poisonTokens({ lengthen: { accessToken: 1600, refreshToken: 900 } }),
}
