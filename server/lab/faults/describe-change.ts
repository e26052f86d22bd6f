import type { FaultItem } from '../../contract/control-faults.ts'
import { isSecretName, maskText } from '../../core/mask.ts'
import { shortened } from '../../core/shortened.ts'

/** Longest value in a description, in characters. */
const longestValue = 80

/** Describes a member that got another value; a secret one without it. */
export function describeSet(path: string, value: unknown): string {
  const text = JSON.stringify(value)
  const isSecret = isSecretName(path.split('.').at(-1) ?? path) || maskText(text) !== text
  return isSecret ? `${path} changed` : `${path} set to ${shortened(text, longestValue)}`
}

/** Describes the changes to the query of a redirect, each in a few words. */
export function describeRedirect(
  { set = {}, remove = [], codeLength, scope }: NonNullable<FaultItem['redirect']>,
  isThere: (name: string) => boolean,
): string[] {
  return [
    ...Object.entries(set).map(([name, value]) => describeSet(name, value)),
    ...remove.filter(isThere).map((name) => `${name} removed`),
    ...(codeLength === undefined ? [] : [`code of ${codeLength} characters`]),
    ...(scope === undefined ? [] : [`only ${shortened(scope, longestValue)} granted`]),
  ].map((change) => `redirect: ${change}`)
}

const signatures = {
  none: 'no signature',
  'hs256-public-key': 'signed with the published key as a shared secret',
  'other-key': 'signed with an unpublished key',
} as const

/** Describes how long tokens became, each in a few words. */
export function describeLengths({
  accessToken,
  refreshToken,
}: NonNullable<FaultItem['lengthen']>): string[] {
  return [
    ...(accessToken === undefined ? [] : [`access token of ${accessToken} characters`]),
    ...(refreshToken === undefined ? [] : [`refresh token of ${refreshToken} characters`]),
  ]
}

/** Describes the changes to an ID token, each in a few words. */
export function describeIdToken({
  kid,
  claims = {},
  breakSignature,
  header: { alg, kid: noKid, jwk, jku, x5u } = {},
  sign,
}: NonNullable<FaultItem['idToken']>): string[] {
  const changes = [
    ...Object.entries(claims).map(([name, value]) =>
      value === null ? `${name} removed` : describeSet(name, value),
    ),
    ...(kid === undefined ? [] : [`unknown key ${JSON.stringify(kid)}`]),
    ...(noKid === undefined ? [] : ['kid removed from the header']),
    ...(jwk === undefined ? [] : ['key in the header']),
    ...(jku === undefined ? [] : [`header names keys at ${shortened(jku, longestValue)}`]),
    ...(x5u === undefined ? [] : [`header names a certificate at ${shortened(x5u, longestValue)}`]),
    ...(alg === undefined ? [] : [`header names the algorithm ${shortened(alg, longestValue)}`]),
    ...(breakSignature === true || sign === 'broken' ? ['wrong signature'] : []),
    ...(sign === undefined || sign === 'broken' ? [] : [signatures[sign]]),
  ]
  return changes.map((change) => `ID token: ${change}`)
}
