import { createSign, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import type { Clock } from '../../core/clock.ts'
import type { Bus } from '../events/bus.ts'
import type { SigningKey } from '../../store/entities/oauth-entities.ts'
import type { State } from '../../store/state.ts'

/**
 * Keys that sign ID tokens. A sandbox without a key generates it in the background or at the first signature, never while
 * it starts. Only {@link SigningKeys.rotate} replaces it, because clients cache the published keys, even across a reset.
 */
export interface SigningKeys {
  /**
   * Public members only (RFC 7517 §9.3), the present key first; the same list until the keys change. Not a promise
   * once there is a key.
   */
  published(): readonly JWK[] | Promise<readonly JWK[]>
  /**
   * Signs claims as a compact RS256 JWT (RFC 7515 §7.1) with the present key.
   * @param kid another key id for the header, which clients should refuse
   */
  sign(claims: Record<string, unknown>, kid?: string): Promise<string>
  /** Returns the RS256 signature of any text with the present key, base64url: for tokens that are wrong on purpose. */
  signText(text: string): Promise<string>
  /**
   * Replaces the present key by a new one.
   * @param keepOld whether the old keys stay published, so that their signatures still verify
   * @returns the new `kid`
   */
  rotate(keepOld?: boolean): Promise<string>
}

export interface SigningKeysDeps {
  state: State
  clock: Clock
  bus: Bus
  makeKey: MakeKey
}

/** A new key and its `kid`. */
export type NewKey = Pick<SigningKey, 'id' | 'privateJwk'>

/** Generates the next key; in a seeded sandbox it follows from the seed and from the previous key. */
export type MakeKey = (previous: SigningKey | undefined) => Promise<NewKey>

const generate = promisify(generateKeyPair)

/** Generates a 2048-bit RSA key on another thread, which takes from 30 ms to half a second. */
export async function generatePrivateJwk(): Promise<SigningKey['privateJwk']> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }) }
}

export function createSigningKeys(deps: SigningKeysDeps): SigningKeys {
  const { state, clock, bus, makeKey } = deps
  let making: Promise<SigningKey> | undefined
  let described:
    | { size: number; first: SigningKey | undefined; last: SigningKey | undefined; keys: JWK[] }
    | undefined

  function present(): SigningKey | undefined {
    let newest: SigningKey | undefined
    for (const key of state.signingKeys.values()) {
      if (key.retiredAt === undefined) newest = key
    }
    return newest
  }

  async function make(): Promise<SigningKey> {
    const key = await makeKey(present())
    return state.signingKeys.put({ ...key, createdAt: clock.now() })
  }

  /** Generates one key at a time, because the next one may follow from the previous one. */
  function makeNext(): Promise<SigningKey> {
    const made = (making === undefined ? make() : making.then(make, make)).finally(() => {
      if (making === made) making = undefined
    })
    making = made
    return made
  }

  /** Returns the present key; concurrent callers wait for the same new one. */
  function ensure(): SigningKey | Promise<SigningKey> {
    return present() ?? making ?? makeNext()
  }

  function describePresent(): readonly JWK[] {
    const { size } = state.signingKeys
    const [first, last] = [state.signingKeys.first(), state.signingKeys.last()]
    // A rotation replaces every key; any other change leaves a different last key.
    if (described?.size !== size || described.first !== first || described.last !== last) {
      described = { size, first, last, keys: describeKeys([...state.signingKeys.values()]) }
    }
    return described.keys
  }

  return {
    published() {
      const key = ensure()
      return key instanceof Promise ? key.then(describePresent) : describePresent()
    },
    async sign(claims, kid) {
      const { id, privateJwk } = await ensure()
      // Loaded on demand: a start must not wait for it.
      const { SignJWT } = await import('jose')
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: kid ?? id, typ: 'JWT' })
        .sign(privateJwk)
    },
    async signText(text) {
      const { privateJwk } = await ensure()
      return createSign('RSA-SHA256')
        .update(text)
        .sign({ key: privateJwk, format: 'jwk' }, 'base64url')
    },
    async rotate(keepOld = true) {
      const key = await makeNext()
      const others = Array.from(state.signingKeys.values()).filter(({ id }) => id !== key.id)
      for (const old of others) {
        if (keepOld) state.signingKeys.put({ ...old, retiredAt: old.retiredAt ?? clock.now() })
        else state.signingKeys.delete(old.id)
      }
      bus.emit('key.rotated', { kid: key.id })
      return key.id
    },
  }
}

/** Public members only, the present key first. */
function describeKeys(keys: SigningKey[]): JWK[] {
  return keys
    .toSorted((a, b) => Number(a.retiredAt !== undefined) - Number(b.retiredAt !== undefined))
    .map(({ id, privateJwk: { kty, n, e } }) => ({
      kty: String(kty),
      n: String(n),
      e: String(e),
      kid: id,
      use: 'sig',
      alg: 'RS256',
    }))
}
