import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ResolvedOptions } from '../../server/app/config/options.ts'
import type { SandboxOptions } from '../../server/contract/options-types.ts'
import { resolveOptions } from '../../server/app/config/resolve.ts'
import { type RunningSandbox, runSandbox } from '../../server/app/run-sandbox.ts'
import { createSnapshots } from '../../server/fixtures/snapshots/snapshots.ts'
import { anonymous } from '../../server/hub/access/principal.ts'
import { services } from '../../server/lab/sandbox-services.ts'
import { isRouteFile } from '../helpers/route-files.ts'
import { createWebhook } from '../../server/hub/webhooks/manage/management.ts'
import { sharedRsaKey } from '../helpers/deps.ts'
import { controlFixtures } from '../helpers/control.ts'
import { uncheckedSnapshot } from '../helpers/unchecked-snapshot.ts'

let folder: string
const running: RunningSandbox[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hub-sandbox-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()))
  await rm(folder, { recursive: true })
})

async function resolved(options: SandboxOptions = {}): Promise<ResolvedOptions> {
  const signingKey = { ...(await sharedRsaKey()).export({ format: 'jwk' }) }
  const fixtures = { ...controlFixtures, config: { signingKey } }
  return resolveOptions({ fixtures, data: folder, ...options })
}

async function start(options: ResolvedOptions): Promise<RunningSandbox> {
  const sandbox = await runSandbox(options)
  running.push(sandbox)
  return sandbox
}

const names = ({ deps }: RunningSandbox) =>
  [...deps.state.users.values()].map(({ username }) => username)

/** Fixtures that were fine when they were read, and cannot be loaded any more once `isBroken` says so. */
function unloadable(options: ResolvedOptions, isBroken: () => boolean): ResolvedOptions {
  const fixtures = {
    ...options.fixtures,
    get jobs() {
      if (isBroken()) throw new Error('these fixtures cannot be loaded')
      return []
    },
  }
  return { ...options, fixtures }
}

describe('a replaced state', () => {
  test('survives a restart', async () => {
    const first = await start(await resolved())
    const { deps } = first
    const [bob] = [...deps.state.users.values()].filter(({ username }) => username === 'bob')
    deps.state.users.put({ ...bob!, username: 'robert' })
    const snapshots = createSnapshots(deps)
    await snapshots.create('renamed')
    deps.reset()
    expect(names(first)).toContain('bob')
    await snapshots.restore('renamed')
    expect(names(first)).toContain('robert')
    await first.close()
    const second = await start(await resolved())
    expect(names(second)).toEqual(['alice', 'robert', 'carol'])
    expect(second.notices).toEqual([])
  })

  test('fixtures that fail to load keep the current state, at a reset and at a start', async () => {
    let isBroken = false
    const options = unloadable(await resolved(), () => isBroken)
    const first = await start(options)
    first.deps.state.users.put({ ...first.deps.state.users.first()!, fullname: 'Changed' })
    const before = first.deps.captureState()
    isBroken = true
    expect(() => first.deps.reset()).toThrow('cannot be loaded')
    expect(first.deps.captureState().collections).toEqual(before.collections)
    await first.close()
    await expect(runSandbox({ ...options, reset: true })).rejects.toThrow('cannot be loaded')
    const second = await start(await resolved())
    expect(second.deps.state.users.first()?.fullname).toBe('Changed')
  })
})

test('an inconsistent state is refused with the flag that resets it', async () => {
  const first = await start(await resolved())
  await first.close()
  const file = join(folder, 'state.json')
  truncateSync(file, 40)
  await expect(runSandbox(await resolved())).rejects.toThrow(
    `${file} ends too early, after line 1\nStart with --reset to forget all that is stored and load the fixtures.`,
  )
  const again = await start(await resolved({ reset: true }))
  expect(names(again)).toEqual(names(first))
  expect(await readdir(folder)).toContain('state.json.damaged')
})

test.each([
  [
    'a newer format',
    (text: string) => text.replace(/^\{"format":\d+/, '{"format":99'),
    /written by a newer version of hub-sandbox \(format 99, this version reads \d+\)\nTo keep it, use that version for this data folder, or choose another folder with --data\.$/,
  ],
  [
    'an unknown collection',
    (text: string) => text.replace('"users":[', '"usersOfTomorrow":['),
    /there is no collection "usersOfTomorrow"\nIf a newer version of hub-sandbox wrote it, use that version/,
  ],
  [
    'an unknown value',
    (text: string) => text.replaceAll(/"isPro":\w+/g, '"isPro":"yearly"'),
    /must be boolean\nIf a newer version of hub-sandbox wrote it, use that version/,
  ],
])('a data folder with %s is kept, with advice to keep it', async (_what, change, message) => {
  const first = await start(await resolved())
  await first.close()
  const file = join(folder, 'state.json')
  const newer = uncheckedSnapshot(change(readFileSync(file, 'utf8')))
  writeFileSync(file, newer)
  await expect(runSandbox(await resolved())).rejects.toThrow(message)
  expect(readFileSync(file, 'utf8')).toBe(newer)
})

/** Files that only routes and hooks use. */
const ofRoutes = [
  /^web\/(?!outgoing\/|control-client)[\w/-]+\.ts$/,
  /^app\/([\w-]+-)?app\.ts$/,
  /^hub\/(http|pages)\/[\w-]+\.ts$/,
  /^lab\/(control|deliveries|requests|flows|search)\/[\w-]+\.ts$/,
  /^lab\/checks\/read-advice\.ts$/,
]

describe('coverage of a reset', () => {
  test('includes every service', async () => {
    const { deps } = await start(await resolved({ seed: 1 }))
    const held = Object.entries(deps).filter(([, member]) => typeof member === 'object')
    expect(services.names.toSorted()).toEqual(held.map(([name]) => name).toSorted())
  })

  // What is made elsewhere is not in the list, so it must hold nothing that a state could make untrue.
  test('includes everything made by a route or a plugin', async () => {
    const folder = new URL('../../server/', import.meta.url)
    const sources = await readdir(folder, { recursive: true })
    const made = sources
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => isRouteFile(path) || ofRoutes.some((pattern) => pattern.test(path)))
      .flatMap(
        (path) =>
          readFileSync(new URL(path, folder), 'utf8').match(/(?<=[=:] )create[A-Z]\w+(?=\()/g) ??
          [],
      )
    expect([...new Set(made)].toSorted()).toEqual([
      // What is new since a reader last looked: lists are read from the state again.
      // Forgets the findings with the fact sandbox.reset.
      'createAdviceReader',
      'createChanges',
      // Answers that a fault holds back: they come, whatever was reset meanwhile.
      // Acts of a request, which keep nothing outside the state.
      'createCollection',
      // Tools of MCP servers, which call the routes and keep nothing.
      'createControlTools',
      'createDelays',
      'createEndpoint',
      // One-time marks of forms: those of a session that is gone are refused with it.
      // Verdicts are forgotten with the fact sandbox.reset.
      'createExperiments',
      'createFormNonces',
      // Derives the control cookie from the token, and holds nothing.
      'createHmac',
      'createHubTools',
      // Apps that are built when they are asked for: they hold routes.
      'createKeptFindings',
      'createLateApp',
      // Readers that are there: a reset does not hang up.
      'createLineStreams',
      // Reads the log of events, which tells of the reset.
      'createLiveFeed',
      'createMasking',
      // Numbers requests: those of before have gone with the log.
      'createRequestIds',
      // Names requests by what came of the clock and a number.
      'createRequestNames',
      'createResourceGroup',
      // Files of the data folder: snapshots outlive a reset on purpose.
      'createSnapshots',
      // A function on the state.
      'createWebhookByHand',
    ])
  })

  test('leaves only what is meant to continue', async () => {
    const { deps } = await start(await resolved())
    const alice = deps.state.users.first()!
    const subject = { kind: 'request' as const, method: 'GET', path: '/api/whoami-v2' }
    deps.faults.add({ match: { route: subject.path }, status: 500 })
    const barrier = deps.barriers.add({ match: { route: subject.path }, count: 1 })
    const released = deps.barriers.hold('request', subject)
    for (let wrong = 0; wrong < 5; wrong++) deps.guesses.wrong(alice.id)
    deps.limits.count('api', anonymous, '127.0.0.1')
    deps.polls.tooFast('device')
    deps.clock.advance(60_000)
    const request = { event: 'repo.content', repo: 'acme/corpus' }
    deps.lastTrigger.request = request
    const temporary = deps.temporaryWebhooks.lease(
      createWebhook(deps, alice, {
        watched: [{ type: 'user', name: 'alice' }],
        url: 'http://localhost:1/',
        domains: ['repo'],
      }),
    )

    deps.reset()
    await released
    expect(deps.faults.list()).toEqual([])
    expect(deps.barriers.get(barrier.id)).toBeUndefined()
    expect(deps.guesses.waitSeconds(alice.id)).toBe(0)
    const { quota, remaining } = deps.limits.count('api', anonymous, '127.0.0.1')
    expect(quota - remaining).toBe(1)
    expect(deps.polls.tooFast('device')).toBe(false)
    expect(Math.abs(deps.clock.now() - Date.now())).toBeLessThan(30_000)
    expect(deps.live.recent(10).entries[0]).toMatchObject({ type: 'sandbox.reset' })
    expect(deps.lastTrigger).toEqual({ request })
    expect(deps.state.webhooks.get(temporary.id)).toBeDefined()
  })
})

describe('ids of a seeded sandbox', () => {
  async function seeded() {
    const sandbox = await start(await resolveOptions({ fixtures: controlFixtures, seed: 7 }))
    const call = async (path: string, payload: object) =>
      (
        await sandbox.app.inject({
          method: 'POST',
          url: `/_sandbox/api/${path}`,
          headers: { host: new URL(sandbox.url).host },
          payload,
        })
      ).json<{ access_token: string; name: string }>()
    // The rest of it has the time of issue, and the clock runs.
    const token = async () => (await call('tokens', { user: 'alice' })).access_token.split('.')[2]
    return { sandbox, call, token }
  }

  test('restart with each reset, except those of keys', async () => {
    const { sandbox, call, token } = await seeded()
    const afterStart = [await token(), await token()]
    const runs: (string | undefined)[][] = []
    const kids = new Set((await sandbox.deps.keys.published()).map(({ kid }) => kid))
    for (let run = 0; run < 3; run += 1) {
      sandbox.deps.reset()
      runs.push([await token(), await token()])
      await call('keys/rotate', { keepOld: false })
      for (const { kid } of await sandbox.deps.keys.published()) kids.add(kid)
    }
    expect(kids.size).toBe(4)
    expect(runs).toEqual([afterStart, afterStart, afterStart])
  })

  test('differ for the key of each rotation, and repeat in every run', async () => {
    const moduli = async () => {
      const { sandbox, call } = await seeded()
      const published = async () => (await sandbox.deps.keys.published()).map(({ n }) => n)
      const first = await published()
      await call('keys/rotate', { keepOld: false })
      const second = await published()
      await call('keys/rotate', { keepOld: false })
      return [...first, ...second, ...(await published())]
    }
    const run = await moduli()
    expect(new Set(run).size).toBe(3)
    expect(await moduli()).toEqual(run)
  })

  test('never repeat an id of a restored state', async () => {
    const { sandbox, call, token } = await seeded()
    const kept = [await token(), await token()]
    await call('snapshots', { name: 'kept' })
    const next = [await token(), await token()]
    sandbox.deps.reset()
    await call('snapshots/kept/restore', {})
    expect([await token(), await token()]).toEqual(next)
    const stored = () =>
      [...sandbox.deps.state.tokens.values()].map(({ token: text }) => text.split('.')[2])
    for (const value of kept) {
      expect(stored()).toContain(value)
    }
  })
})
