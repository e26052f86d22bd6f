import { describe, expect, test, vi } from 'vitest'
import { appModules } from '../../server/lab/audit/app/app-catalog.ts'
import {
  auditDeviceApp,
  auditWebApp,
  verdictsOfWebApp,
  withOutcome,
} from '../helpers/apps/audit-web-app.ts'
import { mistakes, type Mistake, tolerated } from '../helpers/apps/mistakes.ts'

const familyOf = (module: string) => module.split('/')[0] ?? module
const all = Object.keys(mistakes) as (keyof typeof mistakes)[]
const ofDevices = all.filter((name) => mistakes[name].some((id) => familyOf(id) === 'device'))
const ofWebsites = all.filter((name) => !ofDevices.includes(name))

/**
 * `HUB_SANDBOX_WHOLE_AUDITS` runs all modules against each app, which takes a quarter of an hour. Without it, only families
 * run that the app fails.
 */
const isWhole = process.env['HUB_SANDBOX_WHOLE_AUDITS'] !== undefined

/** Each module waits for a second, and a busy machine takes several times as long. */
vi.setConfig({ testTimeout: isWhole ? 1_200_000 : 300_000 })

test.concurrent('an app without mistakes passes every module that concerns it', async () => {
  const outcomes = await auditWebApp({ plan: 'full' })
  const concerned = appModules.map(({ id }) => id).filter((id) => familyOf(id) !== 'device')
  expect(withOutcome(outcomes, 'passed')).toEqual(concerned.toSorted())
})

test.concurrent('a device without mistakes passes every module that concerns it', async () => {
  const outcomes = await auditDeviceApp([])
  const concerned = appModules.map(({ id }) => id).filter((id) => familyOf(id) === 'device')
  expect(withOutcome(outcomes, 'passed')).toEqual(concerned.toSorted())
})

test.concurrent('a device whose library repeats a poll in the other style fails nothing', async () => {
  const outcomes = await auditDeviceApp([], { triesBothStyles: true })
  expect(withOutcome(outcomes, 'failed', 'not-reached')).toEqual([])
  expect(withOutcome(outcomes, 'passed')).toEqual(
    expect.arrayContaining(['device/denied', 'device/expired']),
  )
  const polling = await auditDeviceApp(['polls-after-denial'], { triesBothStyles: true })
  expect(withOutcome(polling, 'failed')).toEqual(['device/denied'])
})

test.concurrent('an app that drops the userinfo of another user passes', async () => {
  const only = ['id-token/garbage', 'userinfo/other-subject']
  const outcomes = await auditWebApp({ shape: 'drops-foreign-userinfo', only })
  expect(withOutcome(outcomes, 'passed')).toEqual(only)
  const careless = await auditWebApp({ mistakes: ['no-userinfo-subject-check'], only })
  expect(withOutcome(careless, 'failed')).toEqual(['userinfo/other-subject'])
})

test.concurrent('an app that reads the keys seldom gets the time for it', async () => {
  const [verdict] = await verdictsOfWebApp({
    shape: 'reads-keys-seldom',
    only: ['keys/rotated'],
  })
  expect(verdict).toMatchObject({
    module: 'keys/rotated',
    outcome: 'tolerated',
    observed:
      'The app responded with the status 502. The app did not read the keys again within 30 s of the last time; a sign-in after that succeeded. OpenID Connect Core 10.1.1 requires that keys are read again at an unknown kid, and not how soon.',
  })
})

describe.concurrent('an app that has the user from the ID token alone', () => {
  const audit = (hasProbe: boolean) =>
    auditWebApp({ shape: 'claims-only', hasProbe, plan: 'core', only: ['id-token'] })

  test('is not judged without a probe, because it shows nothing', async () => {
    const outcomes = await audit(false)
    expect(withOutcome(outcomes, 'inconclusive')).toEqual(Object.keys(outcomes).toSorted())
  })

  test('is judged with a probe', async () => {
    const outcomes = await audit(true)
    expect(withOutcome(outcomes, 'passed')).toEqual(Object.keys(outcomes).toSorted())
  })
})

test.concurrent('an app that has the user from userinfo alone gets one warning', async () => {
  const outcomes = await auditWebApp({ shape: 'userinfo-only', only: ['id-token', 'userinfo'] })
  expect(withOutcome(outcomes, 'failed')).toEqual(['id-token/garbage'])
  expect(withOutcome(outcomes, 'passed')).toEqual(['userinfo/not-json', 'userinfo/unavailable'])
  expect(withOutcome(outcomes, 'tolerated', 'inconclusive', 'not-reached')).toEqual([])
})

test.concurrent('what follows a module that has broken the app is not reached', async () => {
  const [first, ...rest] = await verdictsOfWebApp({
    mistakes: ['reads-keys-once'],
    plan: 'full',
    only: ['keys'],
  })
  expect(first).toMatchObject({ module: 'keys/rotated', outcome: 'failed' })
  expect(rest.length).toBeGreaterThan(1)
  for (const { module, outcome, observed } of rest) {
    expect([outcome, observed]).toEqual([
      'not-reached',
      `No user could sign in to the app after keys/rotated. Restart the app, and run this module alone: --only ${module}`,
    ])
  }
})

const auditWithMistake = (mistake: Mistake, expected: readonly string[]) =>
  auditWebApp({
    mistakes: [mistake],
    plan: 'full',
    ...(isWhole ? {} : { only: [...new Set(expected.map(familyOf))] }),
  })

describe.concurrent('an app with one mistake fails exactly its modules', () => {
  test.each(ofWebsites)('%s', async (mistake) => {
    const expected: readonly string[] = mistakes[mistake]
    const outcomes = await auditWithMistake(mistake, expected)
    expect(withOutcome(outcomes, 'failed')).toEqual(expected.toSorted())
  })

  test.each(ofDevices)('%s', async (mistake) => {
    const outcomes = await auditDeviceApp([mistake])
    expect(withOutcome(outcomes, 'failed')).toEqual([...mistakes[mistake]].toSorted())
  })

  test.each(Object.entries(tolerated))('%s is tolerated', async (mistake, expected) => {
    const outcomes = await auditWithMistake(mistake as Mistake, expected)
    expect(withOutcome(outcomes, 'failed')).toEqual([])
    expect(withOutcome(outcomes, 'tolerated')).toEqual(expected.toSorted())
  })
})
