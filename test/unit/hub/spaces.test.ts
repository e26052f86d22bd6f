import { beforeEach, describe, expect, test } from 'vitest'
import { spaceFlavors } from '../../../server/contract/words/hub-words.ts'
import { commitFiles } from '../../../server/hub/commits/commits.ts'
import { repoInfo } from '../../../server/hub/repos/repo-info.ts'
import { createRepo, duplicateRepo, moveRepo } from '../../../server/hub/repos/repos.ts'
import {
  deleteSpaceSecret,
  deleteSpaceVariable,
  setSpaceSecret,
  setSpaceVariable,
  toldSecrets,
  toldVariables,
} from '../../../server/hub/spaces/space-environment.ts'
import {
  deleteStorage,
  pauseSpace,
  requestHardware,
  requestStorage,
  restartSpace,
  setDevMode,
  setSleepTime,
  spaceRuntime,
} from '../../../server/hub/spaces/space-machine.ts'
import { hardware, spaceHardware } from '../../../server/hub/jobs/hardware.ts'
import type { Repo } from '../../../server/store/entities/hub-entities.ts'
import { createHubWorld, type HubWorld, start } from './hub-world.ts'

let world: HubWorld
let repo: Repo
beforeEach(async () => {
  world = await createHubWorld()
  repo = world.repo('alice/demo', { type: 'space', sdk: 'gradio' })
})

const now = () => world.now(repo)
const runtime = () => spaceRuntime(world.deps, now())
const invalid = expect.objectContaining({ code: 'invalid' })
const at = new Date(start).toISOString()

describe('the runtime of a Space', () => {
  const running = {
    stage: 'RUNNING',
    hardware: { current: 'cpu-basic', requested: 'cpu-basic' },
    storage: null,
    gcTimeout: 172_800,
    replicas: { requested: 1, current: 1 },
    devMode: false,
    domains: [{ domain: 'alice-demo.hf.space', stage: 'READY' }],
  }

  test('is that of a free Space which is up, and what repo info tells', () => {
    expect(runtime()).toEqual(running)
    pauseSpace(world.deps, repo)
    const info = repoInfo(world.deps, { repo: now(), readCard: () => undefined })
    expect(info['runtime']).toEqual(runtime())
  })

  test('follows what is asked for, and tells no webhook of it', () => {
    const flavor = { flavor: 't4-small', sleepTimeSeconds: 600 }
    const upgraded = { hardware: { current: 't4-small', requested: 't4-small' }, gcTimeout: 600 }
    expect(requestHardware(world.deps, repo, flavor)).toEqual({ ...running, ...upgraded })
    expect(setSleepTime(world.deps, now(), -1).gcTimeout).toBeNull()
    expect(setDevMode(world.deps, now(), true).devMode).toBe(true)
    expect(requestStorage(world.deps, now(), 'medium').storage).toBe('medium')
    expect(runtime()).toMatchObject({ ...upgraded, gcTimeout: null, devMode: true })
    expect(requestHardware(world.deps, now(), { flavor: 'a100-large' }).gcTimeout).toBeNull()
    expect(setSleepTime(world.deps, now(), 60).gcTimeout).toBe(60)
    expect(requestHardware(world.deps, now(), { flavor: 'cpu-basic' }).gcTimeout).toBe(172_800)
    expect(deleteStorage(world.deps, now()).storage).toBeNull()
    expect(world.events).toEqual([])
    expect(now().updatedAt).toBe(repo.updatedAt)
  })

  test('is paused until it is restarted, and up after it was built', () => {
    const down = { hardware: { current: null, requested: 'cpu-basic' }, replicas: { requested: 1 } }
    expect(pauseSpace(world.deps, repo)).toEqual({ ...running, ...down, stage: 'PAUSED' })
    expect(setDevMode(world.deps, now(), false).stage).toBe('PAUSED')
    expect(pauseSpace(world.deps, now()).stage).toBe('PAUSED')
    expect(restartSpace(world.deps, now())).toEqual({ ...running, ...down, stage: 'BUILDING' })
    expect(runtime()).toEqual(running)
    expect(now().machine).not.toHaveProperty('paused')
  })

  test.each([
    ['other hardware', () => requestHardware(world.deps, repo, { flavor: 'abacus' })],
    ['hardware of jobs alone', () => requestHardware(world.deps, repo, { flavor: 'h100' })],
    ['no name', () => requestHardware(world.deps, repo, { flavor: 'constructor' })],
    [
      'hardware with no time',
      () => requestHardware(world.deps, repo, { flavor: 't4-small', sleepTimeSeconds: 0 }),
    ],
    ['no time', () => setSleepTime(world.deps, repo, -2)],
    ['another tier', () => requestStorage(world.deps, repo, 'huge')],
    ['the end of storage that there is not', () => deleteStorage(world.deps, repo)],
  ])('is not changed by %s', (_, change) => {
    expect(change).toThrow(invalid)
    expect(now()).toEqual(repo)
  })

  test('keeps storage that it has from shrinking', () => {
    requestStorage(world.deps, repo, 'medium')
    expect(() => requestStorage(world.deps, now(), 'small')).toThrow(/delete it first/)
    expect(requestStorage(world.deps, now(), 'medium').storage).toBe('medium')
    expect(requestStorage(world.deps, now(), 'large').storage).toBe('large')
  })

  test('is for a static Space the same for ever, as its README says', () => {
    requestHardware(world.deps, repo, { flavor: 't4-small' })
    pauseSpace(world.deps, now())
    const readme = {
      kind: 'add' as const,
      path: 'README.md',
      content: '---\nsdk: static\n---\n',
    }
    commitFiles(world.deps, {
      repo: now(),
      revision: 'main',
      operations: [readme],
      title: 'Static',
    })
    const before = now()
    expect(runtime()).toEqual({
      stage: 'RUNNING',
      hardware: { current: null, requested: null },
      storage: null,
      replicas: { requested: 1, current: 1 },
      devMode: false,
      domains: [{ domain: 'alice-demo.static.hf.space', stage: 'READY' }],
    })
    for (const change of [
      () => requestHardware(world.deps, before, { flavor: 'cpu-basic' }),
      () => setSleepTime(world.deps, before, 60),
      () => setDevMode(world.deps, before, true),
      () => pauseSpace(world.deps, before),
      () => restartSpace(world.deps, before),
      () => requestStorage(world.deps, before, 'small'),
      () => deleteStorage(world.deps, before),
    ]) {
      expect(change).toThrow(/static Space/)
    }
    expect(now()).toEqual(before)
  })
})

describe('variables and secrets of a Space', () => {
  test('are set, told, replaced and taken away, each with one event', () => {
    const actorId = world.users.alice.id
    setSpaceVariable(world.deps, { repo, actorId, key: 'MODE', value: 'fast', description: 'How' })
    setSpaceVariable(world.deps, { repo: now(), key: 'MODE', value: 'fast', description: 'How' })
    setSpaceVariable(world.deps, { repo: now(), key: 'constructor', value: '' })
    expect(toldVariables(now())).toEqual({
      MODE: { key: 'MODE', value: 'fast', description: 'How', updatedAt: at },
      constructor: { key: 'constructor', value: '', updatedAt: at },
    })
    setSpaceVariable(world.deps, { repo: now(), key: 'MODE', value: 'slow' })
    deleteSpaceVariable(world.deps, { repo: now(), key: 'constructor' })
    deleteSpaceVariable(world.deps, { repo: now(), key: 'toString' })
    expect(toldVariables(now())).toEqual({
      MODE: { key: 'MODE', value: 'slow', updatedAt: at },
    })
    setSpaceSecret(world.deps, { repo: now(), key: 'TOKEN', description: 'Of whom' })
    expect(toldSecrets(now())).toEqual({
      TOKEN: { key: 'TOKEN', description: 'Of whom', updatedAt: at },
    })
    deleteSpaceSecret(world.deps, { repo: now(), key: 'TOKEN' })
    deleteSpaceSecret(world.deps, { repo: now(), key: 'TOKEN' })
    expect(toldSecrets(now())).toEqual({})
    expect(world.events).toHaveLength(6)
    for (const event of world.events) {
      expect(event).toMatchObject({ scope: 'repo.config', action: 'update', updatedConfig: {} })
    }
    expect(world.events[0]?.actorId).toBe(actorId)
  })

  test('are none of a Space that never had one, and taking one away tells nothing', () => {
    deleteSpaceVariable(world.deps, { repo, key: 'A' })
    deleteSpaceSecret(world.deps, { repo, key: 'A' })
    expect([toldVariables(repo), toldSecrets(repo)]).toEqual([{}, {}])
    expect(now()).toBe(repo)
    expect(world.events).toEqual([])
  })

  test('of an older state are as old as their Space', () => {
    const older = world.repo('alice/older', {
      type: 'space',
      sdk: 'gradio',
      put: { variables: { A: '1' } },
    })
    expect(toldVariables(older)).toEqual({ A: { key: 'A', value: '1', updatedAt: at } })
    expect(setSpaceVariable(world.deps, { repo: older, key: 'A', value: '1' })).toBe(older)
  })
})

describe('what a Space is made with', () => {
  const secret = { key: 'TOKEN', value: 'not to be kept', description: 'Of whom' }
  const space = {
    hardware: 't4-small',
    storageTier: 'small',
    sleepTimeSeconds: 60,
    secrets: [secret],
    variables: [{ key: 'MODE', value: 'fast' }],
  }
  const made = { type: 'space', name: 'alice/made', sdk: 'gradio', space } as const

  test('is what asking for it afterwards comes to', () => {
    requestHardware(world.deps, repo, { flavor: 't4-small', sleepTimeSeconds: 60 })
    requestStorage(world.deps, now(), 'small')
    setSpaceSecret(world.deps, { repo: now(), ...secret })
    setSpaceVariable(world.deps, { repo: now(), key: 'MODE', value: 'fast' })
    const { machine: changed, secrets, variables } = now()
    // A change counts as activity; a new Space has none yet.
    const { activeAt, ...machine } = changed ?? {}
    expect(activeAt).toBe(world.deps.clock.now())
    expect(createRepo(world.deps, made)).toMatchObject({ machine, secrets, variables })
    expect(JSON.stringify([...world.state.repos.values()])).not.toContain(secret.value)
  })

  test('comes along with a move; a copy has the variables alone, and what it is given', () => {
    const original = createRepo(world.deps, made)
    const { machine, secrets, variables } = original
    const copyTo = (toName: string, more = {}) =>
      duplicateRepo(world.deps, {
        repo: original,
        toName,
        actorId: world.users.bob.id,
        ...more,
      })
    const copy = copyTo('bob/copy')
    expect(copy).toMatchObject({ variables })
    expect(copy.machine ?? copy.secrets).toBeUndefined()
    const other = copyTo('bob/other', {
      space: { hardware: 'l4x1', variables: [{ key: 'B', value: 'b' }], secrets: [secret] },
    })
    expect(other).toMatchObject({ machine: { hardware: 'l4x1' }, secrets })
    expect(toldVariables(other)).toEqual({ B: { key: 'B', value: 'b', updatedAt: at } })
    const moved = moveRepo(world.deps, { repo: original, toName: 'alice/moved' })
    expect(moved).toMatchObject({ machine, secrets, variables })
  })

  test.each([{ hardware: 'abacus' }, { storageTier: 'huge' }, { sleepTimeSeconds: 0 }])(
    'is refused where it cannot be: %o',
    (options) => {
      const { size } = world.state.repos
      expect(() => createRepo(world.deps, { ...made, space: options })).toThrow(invalid)
      const copying = { repo, toName: 'bob/copy', actorId: world.users.bob.id, space: options }
      expect(() => duplicateRepo(world.deps, copying)).toThrow(invalid)
      expect(world.state.repos.size).toBe(size)
    },
  )

  test('is no machine for a static Space, and nothing for what is no Space', () => {
    const still = { ...made, sdk: 'static' }
    expect(() => createRepo(world.deps, still)).toThrow(/static Space/)
    const free = { hardware: 'cpu-basic', variables: space.variables }
    const page = createRepo(world.deps, { ...still, space: free })
    expect(spaceRuntime(world.deps, page).hardware.requested).toBeNull()
    const actorId = world.users.alice.id
    const copying = { repo: page, toName: 'alice/again', actorId, space: { storageTier: 'small' } }
    expect(() => duplicateRepo(world.deps, copying)).toThrow(/static Space/)
    const model = createRepo(world.deps, { type: 'model', name: 'alice/model', space })
    expect(model.machine ?? model.secrets ?? model.variables).toBeUndefined()
  })
})

test('hardware of Spaces is listed with its documented data; some has none', () => {
  const listed = spaceHardware.map(({ name }) => name)
  const unlisted = ['sprx8', 'inf2x6', 'zerogpu']
  expect(listed).toEqual(spaceFlavors.filter((flavor) => !unlisted.includes(flavor)))
  expect(hardware.map(({ name }) => name)).not.toContain('zero-a10g')
})
