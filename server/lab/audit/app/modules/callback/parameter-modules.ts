import { rfc } from '../../../../checks/rule.ts'
import type { AuditModule } from '../../app-module.ts'
import { poisonCallback } from '../poisoned-sign-in.ts'

export const unknownParameters: AuditModule = {
  id: 'callback/unknown-parameters',
  title: 'The callback has parameters that the app does not know.',
  plan: 'full',
  level: 'error',
  must: 'accept',
  expected: 'The app ignores them and accepts the sign-in.',
  fix: 'Read the parameters that you know, and ignore all others.',
  sources: [rfc(6749, '4.1.2')],
  provoke: () => poisonCallback({ set: { foo: '1', session_state: 'a.b' } }),
}

export const otherIssuer: AuditModule = {
  id: 'callback/other-issuer',
  title: 'The callback comes from another issuer.',
  plan: 'full',
  level: 'error',
  must: 'refuse',
  expected: 'The app does not redeem the code.',
  tolerated: 'An app that knows one Hub only cannot mistake it for another one.',
  fix: 'Compare iss with the issuer of the metadata when the callback has it. openid-client and oauth4webapi do.',
  sources: [rfc(9207, '2.4'), rfc(9700, '4.4')],
  provoke: () => poisonCallback({ set: { iss: 'https://other.example' } }),
}
