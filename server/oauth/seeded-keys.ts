import { checkPrime, createPrivateKey, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

const isPrime = promisify(checkPrime)
const publicExponent = 65537n

/**
 * An RSA key that follows from a stream of bytes: two sandboxes of one seed sign alike. It is for sandboxes whose
 * secrets are no secrets; the primes are sought as FIPS 186-5 A.1.3 does, from the bytes handed in.
 */
export async function seededRsaKey(bytes: (length: number) => Uint8Array): Promise<KeyObject> {
  for (;;) {
    const p = await nextPrime(bytes)
    const q = await nextPrime(bytes)
    if (p === q) continue
    const d = inverse(publicExponent, (p - 1n) * (q - 1n))
    if (d === undefined) continue
    const [large, small] = p > q ? [p, q] : [q, p]
    return createPrivateKey({
      format: 'jwk',
      key: {
        kty: 'RSA',
        n: encode(large * small),
        e: encode(publicExponent),
        d: encode(d),
        p: encode(large),
        q: encode(small),
        dp: encode(d % (large - 1n)),
        dq: encode(d % (small - 1n)),
        qi: encode(inverse(small, large) ?? 0n),
      },
    })
  }
}

async function nextPrime(bytes: (length: number) => Uint8Array): Promise<bigint> {
  const start = Uint8Array.from(bytes(128))
  // The two top bits make the product exactly 2048 bits long.
  start[0] = (start[0] ?? 0) | 0xc0
  start[127] = (start[127] ?? 0) | 1
  let candidate = BigInt(`0x${Buffer.from(start).toString('hex')}`)
  while (!(await isPrime(candidate))) candidate += 2n
  return candidate
}

/** Extended Euclid; `undefined` when the two share a factor. */
function inverse(value: bigint, modulus: bigint): bigint | undefined {
  let [a, b] = [value % modulus, modulus]
  let [x, y] = [1n, 0n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b] = [b, a - quotient * b]
    ;[x, y] = [y, x - quotient * y]
  }
  return a === 1n ? ((x % modulus) + modulus) % modulus : undefined
}

function encode(value: bigint): string {
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url')
}
