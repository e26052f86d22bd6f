import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, test, vi } from 'vitest'
import { createClock } from '../../../../server/core/clock.ts'
import { createIds, seededBytes } from '../../../../server/core/ids.ts'
import { createBus } from '../../../../server/hub/events/bus.ts'
import { publicTestKeys } from '../../../../server/hub/oauth/public-test-keys.ts'
import { createSeededKeys } from '../../../../server/hub/oauth/seeded-keys.ts'
import { createSigningKeys, type MakeKey } from '../../../../server/hub/oauth/signing-keys.ts'
import { definitions, stateFormatVersion } from '../../../../server/store/state.ts'
import { openStore } from '../../../../server/store/store.ts'
import { makeSharedKey, sharedPrivateJwk } from '../../../helpers/deps.ts'

async function setUp() {
  const { collections: state } = await openStore(definitions, { formatVersion: stateFormatVersion })
  const clock = createClock({ realNow: () => 0 })
  const ids = createIds(seededBytes(1))
  const makeKey = vi.fn<MakeKey>(() => makeSharedKey(ids))
  const deps = { state, clock, bus: createBus(clock), makeKey }
  return { ...deps, keys: createSigningKeys(deps), again: () => createSigningKeys(deps) }
}

describe('signing keys', () => {
  test('the first key is generated once, at the first use', async () => {
    const { keys, makeKey } = await setUp()
    expect(makeKey).not.toHaveBeenCalled()
    await Promise.all([keys.sign({}), keys.sign({}), keys.published()])
    expect(makeKey).toHaveBeenCalledTimes(1)
  })

  test('the generation of a key is repeated after a failure', async () => {
    const { keys, makeKey } = await setUp()
    makeKey.mockRejectedValueOnce(new Error('no entropy'))
    await expect(keys.sign({})).rejects.toThrow('no entropy')
    expect(await keys.published()).toHaveLength(1)
  })

  test('a stored key signs in the next process', async () => {
    const { keys, again, makeKey } = await setUp()
    const before = decodeProtectedHeader(await keys.sign({})).kid
    expect(decodeProtectedHeader(await again().sign({})).kid).toBe(before)
    expect(makeKey).toHaveBeenCalledTimes(1)
  })

  test('the current key comes first and signs after a rotation', async () => {
    const { keys } = await setUp()
    const [old] = await keys.published()
    const kid = await keys.rotate()
    expect((await keys.published()).map((key) => key.kid)).toEqual([kid, old!.kid])
    expect(decodeProtectedHeader(await keys.sign({})).kid).toBe(kid)
    await keys.rotate(false)
    expect(await keys.published()).toHaveLength(1)
  })

  test('private members of a key are not published', async () => {
    const { keys } = await setUp()
    await keys.rotate()
    for (const key of await keys.published()) {
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
    }
  })

  test('a fault can name another key in the header', async () => {
    const { keys } = await setUp()
    expect(decodeProtectedHeader(await keys.sign({}, 'other')).kid).toBe('other')
  })
})

describe('keys of a seeded sandbox', () => {
  async function setUpSeeded(seed: string) {
    const { state, clock, bus } = await setUp()
    return createSigningKeys({ state, clock, bus, makeKey: createSeededKeys(seed) })
  }
  const rotations = publicTestKeys.length
  async function run(seed: string) {
    const keys = await setUpSeeded(seed)
    const made = []
    for (let count = 0; count <= rotations; count++) {
      made.push((await keys.published())[0])
      await keys.rotate(false)
    }
    return made
  }

  test('keys are the same in every run, and each rotation takes the next one', async () => {
    const made = await run('7')
    expect(await run('7')).toEqual(made)
    expect(new Set(made.map((key) => key?.n)).size).toBe(rotations)
    expect(made.at(-1)?.n).toBe(made[0]?.n)
    const starts = await Promise.all(['1', '2', '3', '4', '5', '6'].map(run))
    expect(new Set(starts.map(([first]) => first?.n)).size).toBeGreaterThan(1)
  })

  test('a kid is never used twice, not even when the keys repeat', async () => {
    const kids = (await run('7')).map((key) => key?.kid)
    expect(new Set(kids).size).toBe(rotations + 1)
    const [otherSeed] = await run('8')
    expect(kids).not.toContain(otherSeed?.kid)
  })

  test('concurrent rotations take different keys', async () => {
    const keys = await setUpSeeded('7')
    await Promise.all([keys.published(), keys.rotate(), keys.rotate()])
    const published = await keys.published()
    expect(new Set(published.map(({ n }) => n)).size).toBe(3)
    expect(new Set(published.map(({ kid }) => kid)).size).toBe(3)
  })

  test('a rotation may follow a key from outside the seed', async () => {
    const makeKey = createSeededKeys('7')
    const own = { id: 'own', privateJwk: await sharedPrivateJwk(), createdAt: 0 }
    expect((await makeKey(own)).privateJwk).toEqual((await makeKey(undefined)).privateJwk)
  })

  test.each(publicTestKeys)('the key $n is a valid RSA key', (key) => {
    const privateKey = createPrivateKey({ format: 'jwk', key: { ...key } })
    expect(privateKey.asymmetricKeyDetails).toEqual({
      modulusLength: 2048,
      publicExponent: 65537n,
    })
    const message = Buffer.from('message')
    const signature = sign('sha256', message, privateKey)
    const { kty, n, e } = key
    const publicKey = createPublicKey({ format: 'jwk', key: { kty, n, e } })
    expect(verify('sha256', message, publicKey, signature)).toBe(true)
  })
})
