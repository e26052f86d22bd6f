import { because } from '../../../../checks/evidence.ts'
import { openIdCore, rfc } from '../../../../checks/rule.ts'
import { judgeRefusal } from '../../judge.ts'
import type { AppJudgement, AuditModule, ModuleEvidence } from '../../app-module.ts'
import { allowUnchecked, directConnection, readsIdToken } from './id-token-modules.ts'
import { failed } from '../../../judgement.ts'
import { poisonIdToken, poisonSignIn, redemption } from '../poisoned-sign-in.ts'

/** An app that checks no signature at all falls for none of the tricks of a forger: it needs none of them. */
function judgeForgery(evidence: ModuleEvidence): AppJudgement {
  const judgement = judgeRefusal(evidence)
  return evidence.facts.acceptsUnsigned === true ? allowUnchecked(judgement) : judgement
}

const common = {
  level: 'error',
  must: 'refuse',
  expected: 'The app refuses the sign-in.',
  applies: readsIdToken,
} as const

export const unsigned: AuditModule = {
  ...common,
  id: 'id-token/alg-none',
  title: 'The ID token is not signed.',
  plan: 'core',
  oidf: 'idtoken-sig-none',
  tolerated: directConnection,
  fix: 'Verify the signature with the keys of the Hub. openid-client: call enableNonRepudiationChecks(); jose: jwtVerify() with createRemoteJWKSet().',
  sources: [openIdCore('3.1.3.7'), rfc(8725, '3.1')],
  provoke: () => poisonIdToken({ sign: 'none' }),
}

export const publicKeyAsSecret: AuditModule = {
  ...common,
  id: 'id-token/hs256-public-key',
  title: 'The signature is an HMAC whose secret is the public key of the Hub.',
  plan: 'core',
  oidf: 'invalid-sig-hs256',
  fix: 'Name the algorithm that you expect, and do not take it from the token: jose: jwtVerify(…, { algorithms: ["RS256"] }).',
  sources: [rfc(8725, '2.1'), rfc(8725, '3.1')],
  provoke: () => poisonIdToken({ sign: 'hs256-public-key' }),
  judge: judgeForgery,
}

export const wrongSignature: AuditModule = {
  ...common,
  id: 'id-token/signature',
  title: 'The ID token is signed by another key under the name of the right one.',
  plan: 'full',
  oidf: 'invalid-sig-rs256',
  tolerated: directConnection,
  fix: unsigned.fix,
  sources: [openIdCore('3.1.3.7')],
  provoke: () => poisonIdToken({ sign: 'other-key' }),
}

/** Under paths that belong to no app, so that the requests count although they name none. */
const keysOfStranger = '/.well-known/keys-of-a-stranger'
const certificateOfStranger = '/.well-known/certificate-of-a-stranger'

export const embeddedKey: AuditModule = {
  ...common,
  id: 'id-token/embedded-key',
  title: 'The ID token brings the key along that verifies it.',
  plan: 'full',
  expected: 'The app refuses the sign-in, and does not fetch the keys that the ID token names.',
  fix: 'Use only the keys at jwks_uri of the metadata, and ignore jwk, jku and x5u in the header.',
  sources: [rfc(8725, '3.10'), rfc(7515, '4.1.2'), rfc(7515, '4.1.3'), rfc(7515, '4.1.5')],
  provoke: ({ issuer }) =>
    poisonSignIn(
      {
        match: redemption,
        idToken: {
          sign: 'other-key',
          header: {
            kid: null,
            jwk: true,
            jku: `${issuer}${keysOfStranger}`,
            x5u: `${issuer}${certificateOfStranger}`,
          },
        },
      },
      { match: { route: keysOfStranger }, bound: false, body: { keys: [] } },
      { match: { route: certificateOfStranger }, bound: false, body: '' },
    ),
  judge(evidence) {
    const fetched = evidence.requests.find(
      ({ path }) => path === keysOfStranger || path === certificateOfStranger,
    )
    if (fetched === undefined) return judgeForgery(evidence)
    return failed('The app fetched the keys that the ID token names.', [
      because(fetched, 'fetches the keys of a stranger'),
    ])
  },
}
