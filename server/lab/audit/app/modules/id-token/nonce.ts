import { openIdCore } from '../../../../checks/rule.ts'
import type { AuditModule } from '../../app-module.ts'
import { readsNonce } from './id-token-modules.ts'
import { poisonIdToken } from '../poisoned-sign-in.ts'

export const nonce: AuditModule = {
  id: 'id-token/nonce',
  title: 'The ID token has the nonce of another sign-in.',
  plan: 'core',
  oidf: 'nonce-invalid',
  level: 'error',
  must: 'refuse',
  expected: 'The app refuses the sign-in.',
  fix: 'Compare the nonce of the ID token with the one of this browser session. openid-client: pass expectedNonce to authorizationCodeGrant().',
  sources: [openIdCore('3.1.3.7')],
  applies: readsNonce,
  provoke: () => poisonIdToken({ claims: { nonce: 'nonce-of-another-sign-in' } }),
}
