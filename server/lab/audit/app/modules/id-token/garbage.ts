import { openIdCore } from '../../../../checks/rule.ts'
import type { AuditModule } from '../../app-module.ts'
import { poisonTokens } from '../poisoned-sign-in.ts'

/** First module: an app that accepts it does not read the ID token, so that the others about the ID token do not apply. */
export const garbage: AuditModule = {
  id: 'id-token/garbage',
  title: 'The ID token is not a JWT.',
  plan: 'core',
  level: 'warning',
  must: 'refuse',
  expected: 'An app that reads the ID token refuses the sign-in.',
  fix: 'Verify the ID token, or do not ask for the scope openid. @huggingface/hub does not read it; openid-client and oauth4webapi verify it.',
  sources: [openIdCore('3.1.3.7')],
  applies: ({ hasIdToken }) =>
    hasIdToken ? undefined : 'The app does not ask for the scope openid, so it gets no ID token.',
  provoke: () => poisonTokens({ set: { id_token: 'not-a-jwt' } }),
}
