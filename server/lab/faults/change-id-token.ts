import { createHmac, createPublicKey, createSign } from 'node:crypto'
import type { JWK } from 'jose'
import type { FaultItem } from '../../contract/control-faults.ts'
import type { SigningKeys } from '../../hub/oauth/signing-keys.ts'

type Changes = NonNullable<FaultItem['idToken']>
type Header = Record<string, unknown>

/** Returns an ID token with other claims, header or signature; parts that the rule does not name stay correct. */
export async function changeIdToken(
  keys: SigningKeys,
  { kid, claims = {}, breakSignature, header: named = {}, sign }: Changes,
  idToken: string,
): Promise<string> {
  const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')
  const merged = Object.entries({ ...(JSON.parse(payload) as object), ...claims })
  const changed = Object.fromEntries(merged.filter(([, value]) => value !== null))
  const isBroken = breakSignature === true || sign === 'broken'
  if (Object.keys(named).length === 0 && (sign === undefined || isBroken)) {
    const signed = await keys.sign(changed, kid)
    return isBroken ? withOtherSignature(signed) : signed
  }
  const [published] = await keys.published()
  if (published === undefined) throw new Error('a sandbox always publishes a key')
  const stranger = await unpublishedKey(published)
  const header = writeHeader(named, {
    alg: algorithms[sign ?? 'broken'],
    kid: kid ?? published.kid,
    key: sign === undefined ? published : stranger,
  })
  const signingInput = `${encode(header)}.${encode(changed)}`
  switch (sign) {
    case 'none':
      return `${signingInput}.`
    case 'hs256-public-key':
      return `${signingInput}.${hmac(signingInput, published)}`
    case 'other-key': {
      const signature = createSign('RSA-SHA256').update(signingInput)
      return `${signingInput}.${signature.sign({ key: stranger, format: 'jwk' }, 'base64url')}`
    }
    default: {
      const signed = `${signingInput}.${await keys.signText(signingInput)}`
      return isBroken ? withOtherSignature(signed) : signed
    }
  }
}

const algorithms = {
  none: 'none',
  'hs256-public-key': 'HS256',
  'other-key': 'RS256',
  broken: 'RS256',
} as const

function writeHeader(
  { alg, kid: noKid, jwk, jku, x5u }: NonNullable<Changes['header']>,
  usual: { alg: string; kid: string | undefined; key: JWK },
): Header {
  const { kty, n, e } = usual.key
  return {
    alg: alg ?? usual.alg,
    ...(noKid === null ? {} : { kid: usual.kid }),
    typ: 'JWT',
    ...(jwk === undefined ? {} : { jwk: { kty, n, e } }),
    ...(jku === undefined ? {} : { jku }),
    ...(x5u === undefined ? {} : { x5u }),
  }
}

/** Signs like an attacker who hopes that the app uses its RSA key as the secret of an HMAC (RFC 8725 §2.1). */
function hmac(signingInput: string, { kty, n, e }: JWK): string {
  const key = createPublicKey({
    key: { kty: String(kty), n: String(n), e: String(e) },
    format: 'jwk',
  })
  const secret = key.export({ type: 'spki', format: 'pem' })
  return createHmac('sha256', secret).update(signingInput).digest('base64url')
}

/** Returns a key that the sandbox does not publish: the same one in every run, because nothing depends on its secrecy. */
async function unpublishedKey({ n }: JWK) {
  const { publicTestKeys } = await import('../../hub/oauth/public-test-keys.ts')
  const key = publicTestKeys.find((one) => one.n !== n)
  if (key === undefined) throw new Error('there are several public test keys')
  return { ...key }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Returns the token with another signature of the same length: readable, but invalid. */
function withOtherSignature(token: string): string {
  const end = token.lastIndexOf('.') + 1
  const signature = Buffer.from(token.slice(end), 'base64url')
  return (
    token.slice(0, end) + Buffer.from(signature.map((byte) => byte ^ 0xff)).toString('base64url')
  )
}
