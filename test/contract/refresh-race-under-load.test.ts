import { describe, expect, onTestFinished, test } from 'vitest'
import type { Mistake } from '../helpers/apps/mistakes.ts'
import { startWebApp } from '../helpers/apps/web-app.ts'
import { createWebUser } from '../helpers/recipes/web-user.ts'
import { defaultApps, startTestSandbox } from '../helpers/sandbox.ts'

const options = { timeout: 60_000 }

/** An app with a signed-in user whose token has expired. */
async function appAfterADay(mistakes: readonly Mistake[]) {
  const sandbox = await startTestSandbox()
  const { clientId } = defaultApps(sandbox).public
  const app = await startWebApp({ issuer: sandbox.url, clientId, mistakes })
  onTestFinished(() => app.close())
  const alice = createWebUser({ sandboxUrl: sandbox.url, username: 'alice', decision: 'approve' })
  const signIn = () => alice.open(app.loginUrl)
  expect(await signIn()).toMatchObject({ status: 200 })
  await sandbox.clock.advance('9h')
  /** What a page with many parts does: requests of one session at once. */
  const load = (requests: number) =>
    Promise.all(Array.from({ length: requests }, () => alice.open(app.useUrl)))
  const judged = async () => {
    const { rules } = await sandbox.advice.read({ clientId })
    return rules.find(({ id }) => id === 'token/refresh-race')?.judged ?? 0
  }
  const found = async () => (await sandbox.advice.read({ clientId })).items.map(({ rule }) => rule)
  return { sandbox, signIn, load, judged, found }
}

const withRace = ['refreshes-at-once'] as const

describe('an app that refreshes once for each request', () => {
  test('has a finding after plain load', options, async () => {
    const { load, found } = await appAfterADay(withRace)
    await load(8)
    // The sandbox may answer one refresh before it reads the next, and cannot tell then.
    expect(['token/refresh-race', 'token/refresh-repeated']).toEqual(
      expect.arrayContaining(await found()),
    )
    expect(await found()).toHaveLength(1)
  })

  test('fails the drill', options, async () => {
    const { sandbox, signIn, load } = await appAfterADay(withRace)
    await sandbox.experiments.run('refresh-race')
    await signIn()
    await sandbox.clock.advance('9h')
    await load(2)
    await expect
      .poll(async () => (await sandbox.experiments.verdict('refresh-race'))?.state, {
        timeout: 20_000,
      })
      .toBe('failed')
  })
})

describe('an app whose requests share a refresh', () => {
  test('has no finding after plain load', options, async () => {
    const { load, judged, found } = await appAfterADay([])
    const pages = await load(8)
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await found()).toEqual([])
    expect(await judged()).toBeGreaterThan(0)
  })

  test('passes the drill', options, async () => {
    const { sandbox, load } = await appAfterADay([])
    await sandbox.experiments.run('refresh-race')
    await load(2)
    await expect
      .poll(async () => (await sandbox.experiments.verdict('refresh-race'))?.state, {
        timeout: 20_000,
      })
      .toBe('passed')
  })
})
