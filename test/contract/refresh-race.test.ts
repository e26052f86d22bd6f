import { describe, expect, test } from 'vitest'
import { type ExperimentItem, ExperimentList } from '../../server/contract/control-experiments.ts'
import { adviceWorld } from '../helpers/advice.ts'
import { expectShape } from '../helpers/control.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const { world, call, found, signIn, refresh, whoami } = adviceWorld()
const patience = 20_000

const run = (id = 'refresh-race', body: object = {}) =>
  call<ExperimentItem>('POST', `experiments/${id}/run`, body)

async function verdict(id = 'refresh-race') {
  const { body } = await call<ExperimentList>('GET', 'experiments')
  expectShape(ExperimentList, body)
  return body.items.find((one) => one.id === id)?.verdict
}

/** Waits for the end of the experiment. */
async function outcome(id = 'refresh-race') {
  await expect
    .poll(async () => (await verdict(id))?.state, { timeout: 15_000 })
    .not.toBe('watching')
  return verdict(id)
}

/** An app whose processes share the token of a user. */
async function createApp() {
  let { refresh_token: kept, access_token: access } = await signIn()
  /** A process that refreshes and stores what it gets. */
  const renew = async (token = kept) => {
    const { status, body } = await refresh(token)
    if (status === 200) ({ refresh_token: kept, access_token: access } = body)
    return status
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    renew,
    /** The same behind a lock. */
    renewInTurn: () => (last = last.then(() => renew())),
    /** A lock, but the token was read before it was taken. */
    renewOldInTurn() {
      const token = kept
      return (last = last.then(() => renew(token)))
    },
    isSignedIn: async () => (await whoami(access)).status === 200,
  }
}

describe('two refreshes of one token', { timeout: patience }, () => {
  test('sign both processes of an app out that has no lock', async () => {
    const { body } = await run()
    expect(body.verdict?.state).toBe('armed')
    const app = await createApp()
    const statuses = await Promise.all([app.renew(), app.renew()])
    expect(statuses.toSorted()).toEqual([200, 400])
    const { state, text, flowId } = (await outcome())!
    expect(state).toBe('failed')
    expect(text).toMatch(/req-\w+.* got new tokens\. req-\w+.* was refused/)
    expect(text).toContain('both processes are signed out')
    expect(flowId).toBeDefined()
    expect(await app.isSignedIn()).toBe(false)
    expect(await found()).toContain('error token/refresh-race')
  })

  test('come one after the other from an app with a lock', async () => {
    await run()
    const app = await createApp()
    await Promise.all([app.renewInTurn(), app.renewInTurn()])
    expect(await outcome()).toMatchObject({ state: 'passed' })
    expect(await app.isSignedIn()).toBe(true)
    expect((await call<{ items: [] }>('GET', 'barriers')).body.items).toEqual([])
  })

  test('fail where the process that waited does not read the new token', async () => {
    await run()
    const app = await createApp()
    await Promise.all([app.renewOldInTurn(), app.renewOldInTurn()])
    expect(await outcome()).toMatchObject({
      state: 'failed',
      text: expect.stringContaining('sent the old token'),
    })
  })

  test('are both answered within a grace period', async () => {
    await run('refresh-race-grace')
    const app = await createApp()
    expect(await Promise.all([app.renew(), app.renew()])).toEqual([200, 200])
    const { state, text } = (await outcome('refresh-race-grace'))!
    expect(state).toBe('passed')
    expect(text).toContain('The Hub has no grace period')
    expect(await app.isSignedIn()).toBe(true)
  })

  test('keep their verdict when the other experiment begins, but not one under way', async () => {
    await run()
    const app = await createApp()
    await Promise.all([app.renew(), app.renew()])
    const first = await outcome()
    expect(first?.state).toBe('failed')
    await run('refresh-race-grace')
    expect(await verdict()).toEqual(first)
    await run()
    expect((await verdict())?.state).toBe('armed')
    expect(await verdict('refresh-race-grace')).toBeUndefined()
  })

  test('of two users are no race', async () => {
    await run('refresh-race-grace')
    const apps = [await createApp(), await createApp()]
    expect(await Promise.all(apps.map((app) => app.renew()))).toEqual([200, 200])
    expect(await outcome('refresh-race-grace')).toMatchObject({ state: 'unclear' })
  })
})

test('the handle runs it', { timeout: patience }, async () => {
  const sandbox = await startTestSandbox()
  const started = await sandbox.experiments.run('refresh-race')
  expect(started.verdict?.state).toBe('armed')
  const { refresh_token: token = '' } = await sandbox.signIn()
  const [app] = sandbox.fixtures.apps
  const process = () =>
    fetch(`${sandbox.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: app!.clientId,
      }),
    })
  await Promise.all([process(), process()])
  expect(await sandbox.experiments.verdict('refresh-race')).toMatchObject({ state: 'failed' })
  await sandbox.experiments.stop('refresh-race')
  expect((await sandbox.experiments.list()).filter(({ verdict: one }) => one)).toEqual([])
})

test('an experiment that is stopped or reset holds nothing', { timeout: patience }, async () => {
  await run()
  const app = await createApp()
  const held = app.renew()
  await expect.poll(async () => (await verdict())?.state).toBe('watching')
  await call('DELETE', 'experiments/refresh-race/run')
  expect(await held).toBe(200)
  expect(await verdict()).toBeUndefined()
  await run()
  world.sandbox.deps.reset()
  expect(await verdict()).toBeUndefined()
  expect((await call<{ items: [] }>('GET', 'barriers')).body.items).toEqual([])
  expect((await run('refresh-race', { play: true })).status).toBe(409)
})
