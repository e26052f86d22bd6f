import { describe, expect, test } from 'vitest'
import { isLink, readLink } from '../../../electron/links.ts'
import { everyDashboardPage } from '../../../server/contract/dashboard-pages.ts'

describe('a link to the app', () => {
  const paths = everyDashboardPage.map(({ path }) => path)

  test.each(paths.filter((path) => path !== '/'))('opens the page %s', (path) => {
    expect(readLink(`hub-sandbox:/${path}`)).toEqual({ path })
  })

  test.each([
    ['hub-sandbox://home', '/'],
    ['hub-sandbox://checks', '/findings'],
    ['hub-sandbox://overview', '/'],
    ['hub-sandbox://overview/', '/'],
    ['HUB-SANDBOX://Deliveries/', '/deliveries'],
    ['hub-sandbox:deliveries', '/deliveries'],
    ['hub-sandbox://sign-ins/0a1b2c', '/sign-ins/0a1b2c'],
    ['hub-sandbox://issues', '/issues'],
    ['hub-sandbox://snapshots/before-upgrade', '/snapshots/before-upgrade'],
    ['hub-sandbox://deliveries/dlv_0a-1.b', '/deliveries/dlv_0a-1.b'],
  ])('%s opens %s', (link, path) => {
    expect(readLink(link)).toEqual({ path })
  })

  test.each([
    'hub-sandbox://deliveries?state=failed',
    'hub-sandbox://deliveries/one#two',
    'hub-sandbox://deliveries/one/replay',
    'hub-sandbox://deliveries/one?token=hf_sandbox_alice',
    'hub-sandbox://overview/one',
    'hub-sandbox://deliveries/..',
    'hub-sandbox://deliveries/%2e%2e%2fsettings',
    'hub-sandbox://deliveries//evil.example',
    'hub-sandbox://evil.example/deliveries',
    'hub-sandbox://alice@deliveries/one',
    'hub-sandbox://deliveries/one\nhub-sandbox://tokens',
    'hub-sandbox://snapshots',
    'hub-sandbox://snapshots/before/restore',
    'hub-sandbox://constructor',
    'hub-sandbox://',
    'hub-sandbox:',
    `hub-sandbox://deliveries/${'a'.repeat(129)}`,
  ])('%j opens nothing, with a problem of one line', (link) => {
    expect(readLink(link)).toEqual({ problem: expect.stringMatching(/^hub-sandbox:[!-~…]* .+\.$/) })
  })

  test('to an unknown page lists the existing pages', () => {
    expect(readLink('hub-sandbox://nowhere')).toEqual({
      problem: expect.stringContaining('home, '),
    })
  })

  test('is shortened only if it is long', () => {
    const reading = readLink(`hub-sandbox://${'x'.repeat(10_000)}`)
    expect('problem' in reading && reading.problem.length).toBeLessThan(500)
  })

  test('is identified by its scheme', () => {
    expect(isLink('Hub-Sandbox://tokens')).toBe(true)
    expect(isLink('hub-sandbox.json')).toBe(false)
    expect(isLink('https://example.com/?hub-sandbox:')).toBe(false)
  })
})
