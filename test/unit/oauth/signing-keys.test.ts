import { createPublicKey, sign, verify } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { createClock } from '../../../server/core/clock.ts'
import { createIds, seededBytes } from '../../../server/core/ids.ts'
import { createBus } from '../../../server/events/bus.ts'
import { seededRsaKey } from '../../../server/oauth/seeded-key.ts'
import { createSigningKeys } from '../../../server/oauth/signing-keys.ts'
import { definitions, stateFormatVersion } from '../../../server/state/state.ts'
import { openStore } from '../../../server/state/store.ts'
import { sharedRsaKey } from '../../helpers/deps.ts'

async function setUp() {
  const { collections: state } = await openStore(definitions, { formatVersion: stateFormatVersion })
  const clock = createClock({ realNow: () => 0 })
  const makeKey = vi.fn<typeof sharedRsaKey>(sharedRsaKey)
  const deps = { state, clock, ids: createIds(seededBytes(1)), bus: createBus(clock), makeKey }
  return { ...deps, keys: createSigningKeys(deps), again: () => createSigningKeys(deps) }
}

describe('signing keys', () => {
  test('are made when first needed, once however many ask', async () => {
    const { keys, makeKey } = await setUp()
    expect(makeKey).not.toHaveBeenCalled()
    await Promise.all([keys.sign({}), keys.sign({}), keys.published()])
    expect(makeKey).toHaveBeenCalledTimes(1)
  })

  test('take what they take of a seed at once, whenever the key is ready', async () => {
    const { keys, ids } = await setUp()
    const making = keys.published()
    const next = ids.alphanumeric(24)
    await making
    const other = await setUp()
    await other.keys.published()
    expect(other.ids.alphanumeric(24)).toBe(next)
  })

  test('are tried again when making one fails', async () => {
    const { keys, makeKey } = await setUp()
    makeKey.mockRejectedValueOnce(new Error('no entropy'))
    await expect(keys.sign({})).rejects.toThrow('no entropy')
    expect(await keys.published()).toHaveLength(1)
  })

  test('outlive the process: what is stored signs again', async () => {
    const { keys, again, makeKey } = await setUp()
    const before = decodeProtectedHeader(await keys.sign({})).kid
    expect(decodeProtectedHeader(await again().sign({})).kid).toBe(before)
    expect(makeKey).toHaveBeenCalledTimes(1)
  })

  test('put the present one first and sign with it after a rotation', async () => {
    const { keys } = await setUp()
    const [old] = await keys.published()
    const kid = await keys.rotate()
    expect((await keys.published()).map((key) => key.kid)).toEqual([kid, old!.kid])
    expect(decodeProtectedHeader(await keys.sign({})).kid).toBe(kid)
    await keys.rotate(false)
    expect(await keys.published()).toHaveLength(1)
  })

  test('keep their private members to themselves', async () => {
    const { keys } = await setUp()
    await keys.rotate()
    for (const key of await keys.published()) {
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    }
  })

  test('name another key in the header on demand, for clients that must notice', async () => {
    const { keys } = await setUp()
    expect(decodeProtectedHeader(await keys.sign({}, 'other')).kid).toBe('other')
  })
})

describe('the key of a seed', () => {
  test('is the same in every run, and a sound RSA key of 2048 bits', async () => {
    const [one, same, other] = await Promise.all(
      ['7', '7', '8'].map((seed) => seededRsaKey(seededBytes(seed))),
    )
    const jwk = one!.export({ format: 'jwk' })
    expect(same!.export({ format: 'jwk' })).toEqual(jwk)
    expect(other!.export({ format: 'jwk' })).not.toEqual(jwk)
    expect(one!.asymmetricKeyDetails).toEqual({ modulusLength: 2048, publicExponent: 65537n })

    const message = Buffer.from('message')
    const signature = sign('sha256', message, one!)
    const { kty, n, e } = jwk as { kty: string; n: string; e: string }
    const publicKey = createPublicKey({ format: 'jwk', key: { kty, n, e } })
    expect(verify('sha256', message, publicKey, signature)).toBe(true)
  })
})
