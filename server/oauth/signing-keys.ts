import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import type { Clock } from '../core/clock.ts'
import type { Bus } from '../events/bus.ts'
import type { SigningKey } from '../state/entities/oauth.ts'
import type { State } from '../state/state.ts'
import { signCompact } from './compact-jws.ts'

/**
 * The keys that sign ID tokens. A sandbox without one makes it in the background or at the first signature, never while
 * it starts. Only {@link SigningKeys.rotate} replaces it: clients cache the published keys, also across a reset.
 */
export interface SigningKeys {
  /**
   * Public members only (RFC 7517 §9.3), the present key first; the same list until the keys change. At once where there
   * is a key.
   */
  published(): readonly JWK[] | Promise<readonly JWK[]>
  /**
   * Signs claims as a compact RS256 JWT (RFC 7515 §7.1) with the present key.
   * @param kid says another key in the header, for clients that are to notice
   */
  sign(claims: Record<string, unknown>, kid?: string): Promise<string>
  /**
   * Makes a new key the present one.
   * @param keepOld whether the old ones stay published, so that their signatures still verify
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

/** Makes the next key; in a seeded sandbox it follows from the seed and from the previous key. */
export type MakeKey = (previous: SigningKey | undefined) => Promise<NewKey>

const generate = promisify(generateKeyPair)

/** Generates a 2048-bit RSA key on another thread, which takes from 30 ms to half a second. */
export async function generatePrivateJwk(): Promise<SigningKey['privateJwk']> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }) }
}

export function createSigningKeys(deps: SigningKeysDeps): SigningKeys {
  const { state, clock, bus, makeKey } = deps
  // By the stored key itself: another state may know another key by the same id.
  const imported = new WeakMap<object, KeyObject>()
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

  /** One at a time, since the key before may tell which one is next. */
  function makeNext(): Promise<SigningKey> {
    const made = (making === undefined ? make() : making.then(make, make)).finally(() => {
      if (making === made) making = undefined
    })
    making = made
    return made
  }

  /** One key is made, however many sign at once. */
  function ensure(): SigningKey | Promise<SigningKey> {
    return present() ?? making ?? makeNext()
  }

  function importedKey({ privateJwk }: SigningKey): KeyObject {
    const known = imported.get(privateJwk)
    if (known !== undefined) return known
    const key = createPrivateKey({ format: 'jwk', key: privateJwk })
    imported.set(privateJwk, key)
    return key
  }

  function describePresent(): readonly JWK[] {
    const { size } = state.signingKeys
    const [first, last] = [state.signingKeys.first(), state.signingKeys.last()]
    // A rotation puts every key anew, and any other change ends in another last key.
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
      const key = await ensure()
      return signCompact({ alg: 'RS256', kid: kid ?? key.id, typ: 'JWT' }, claims, importedKey(key))
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
