import { rfc } from '../../../../checks/rule.ts'
import type { AuditModule } from '../../app-module.ts'
import { poisonCallback } from '../poisoned-sign-in.ts'

export const longCode: AuditModule = {
  id: 'callback/long-code',
  title: 'The code has 600 characters, some of which a URL must encode.',
  plan: 'full',
  level: 'error',
  must: 'accept',
  expected: 'The app decodes the code, sends it as it is, and accepts the sign-in.',
  fix: 'Decode the query once, with URLSearchParams, and encode the form of the token request in the same way. Set no limit to the length of a code.',
  sources: [rfc(6749, 'A.11')],
  provoke: () => poisonCallback({ codeLength: 600 }),
}
