import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test, vi } from 'vitest'
import type { Intents } from '../../../electron/intents.ts'
import { menuTemplate } from '../../../electron/menu.ts'
import { describeGlance, describeTrigger, describeWhere } from '../../../electron/menu-state.ts'
import type { MenuState } from '../../../electron/menu-state.ts'
import { withMnemonics } from '../../../electron/mnemonics.ts'
import { defaultSettings } from '../../../electron/settings.ts'
import { trayTemplate } from '../../../electron/tray.ts'
import type { Glance } from '../../../electron/watch.ts'
import { dashboardPlaces } from '../../../server/contract/dashboard-pages.ts'
import { chooseFrom } from '../../helpers/electron-stand-in/desktop-parts.ts'

function deps(platform: NodeJS.Platform = 'linux') {
  const done: unknown[][] = []
  const asked =
    (name: string | symbol) =>
    (...given: unknown[]) => {
      if (name === 'showDataFolder') return Promise.reject(new Error('there is none'))
      done.push([name, ...given])
      return Promise.resolve()
    }
  const intents = new Proxy({} as Intents, { get: (_intents, name) => asked(name) })
  return { done, intents, platform, fail: vi.fn<(message: string) => void>() }
}

const glance: Glance = {
  pendingDeliveries: 0,
  failingDeliveries: 0,
  failedDeliveries: 0,
  failingWebhooks: 0,
  suspendedWebhooks: 0,
  pendingDevices: 0,
  isPaused: false,
  lastTrigger: undefined,
}
const url = 'http://localhost:7420'
const running: MenuState = { sandbox: 'here', url, glance, settings: defaultSettings }
const stopped: MenuState = { ...running, sandbox: 'stopped', url: undefined, glance: undefined }

const bar = (given: ReturnType<typeof deps>, state = running) => menuTemplate(given, state)
const itemsOf = (template: MenuItemConstructorOptions[]) =>
  template.flatMap(({ submenu }) => (submenu as MenuItemConstructorOptions[] | undefined) ?? [])
const submenuOf = (template: MenuItemConstructorOptions[], label: string) =>
  (template.find((entry) => entry.label === label)?.submenu ?? []) as MenuItemConstructorOptions[]
const rolesOf = (items: MenuItemConstructorOptions[]) => items.flatMap(({ role }) => role ?? [])
const labelled = (items: MenuItemConstructorOptions[], label: string) =>
  items.find((item) => item.label === label)

describe('the menu bar', () => {
  test('has an app menu on macOS only, and Quit in File elsewhere', () => {
    expect(rolesOf(bar(deps('darwin')))).toContain('appMenu')
    expect(rolesOf(itemsOf(bar(deps('darwin'))))).not.toContain('quit')
    expect(rolesOf(bar(deps('win32')))).not.toContain('appMenu')
    expect(rolesOf(itemsOf(bar(deps('win32'))))).toContain('quit')
  })

  test.each(['linux', 'win32'] as const)('gives every item a mnemonic on %s', (platform) => {
    const check = (items: MenuItemConstructorOptions[]) => {
      const named = items.filter(({ type }) => type !== 'separator')
      const letters = named.map(({ label = '' }) => label.match(/(?<!&)&[^&\s]/gi) ?? [])
      expect(letters.map(({ length }) => length)).toEqual(named.map(() => 1))
      const all = letters.map(([letter = '']) => letter.toLowerCase())
      expect(new Set(all).size).toBe(all.length)
      for (const { submenu } of named) {
        if (submenu !== undefined) check(submenu as MenuItemConstructorOptions[])
      }
    }
    for (const state of [running, stopped]) {
      check(withMnemonics(bar(deps(platform), state)))
      check(withMnemonics(trayTemplate(deps(platform), state)))
    }
  })

  test('gives a label without a free letter that of another one, which has more', () => {
    const labels = withMnemonics([{ label: 'ac' }, { label: 'ab' }, { label: 'ba' }])
    expect(labels.map(({ label }) => label)).toEqual(['a&c', '&ab', '&ba'])
  })

  test('assigns every shortcut once', () => {
    const keys = itemsOf(bar(deps())).flatMap(({ accelerator }) => accelerator ?? [])
    // The developer tools use it to select an element.
    expect(keys).not.toContain('CmdOrCtrl+Shift+C')
    expect(keys.length).toBeGreaterThan(0)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('opens every place of the dashboard, by its digit too', () => {
    const given = deps()
    const items = submenuOf(bar(given), '&Go')
    for (const { label } of dashboardPlaces) chooseFrom(bar(given), ['&Go', label])
    expect(given.done).toEqual(
      ['/', '/sign-ins', '/deliveries', '/apps', '/repos', '/findings', '/requests'].map((path) => [
        'goTo',
        path,
      ]),
    )
    expect(items.flatMap(({ accelerator }) => accelerator ?? [])).toEqual(
      dashboardPlaces.map((_place, index) => `CmdOrCtrl+${index + 1}`),
    )
  })

  test('shows the ampersand of a name instead of an underline', () => {
    const labels = submenuOf(bar(deps()), '&Go').flatMap(({ label }) => label ?? [])
    expect(labels).toContain('Snapshots && settings')
  })

  test.each([
    [['&File', 'My Sandbox'], ['showOwn']],
    [['&File', 'Open Fixtures…'], ['openFixtures']],
    [
      ['&File', 'Keep Running in the Tray'],
      ['setKeepRunning', false],
    ],
    [
      ['&File', 'Notifications', 'Pending Devices'],
      ['setNotice', 'pendingDevice', false],
    ],
    [['&Sandbox', 'Open in Browser'], ['openInBrowser']],
    [['&Sandbox', 'Copy URL'], ['copyAddress']],
    [
      ['&Sandbox', 'Copy Client Settings', 'For Shell'],
      ['copyClientSettings', 'shell'],
    ],
    [
      ['&Sandbox', 'Copy Client Settings', 'As .env'],
      ['copyClientSettings', 'dotenv'],
    ],
    [
      ['&Sandbox', 'Pause Deliveries'],
      ['setPaused', true],
    ],
    [['&Sandbox', 'Stop Sandbox'], ['stopOwn']],
  ])('%j requests %j', (labels, asked) => {
    const given = deps()
    chooseFrom(bar(given), labels)
    expect(given.done).toEqual([asked])
  })

  test('says that the app does not update itself', () => {
    const given = deps()
    const help = bar(given).find(({ role }) => role === 'help')
    chooseFrom(help?.submenu as MenuItemConstructorOptions[], ['Updates…'])
    expect(given.done).toEqual([['showUpdates']])
  })

  test('has no setting to keep running on macOS', () => {
    expect(labelled(itemsOf(bar(deps('darwin'))), 'Keep Running in the Tray')).toBeUndefined()
  })

  test('shows the actual state as ticks, not the click', () => {
    const notify = { ...defaultSettings.notify, failedDelivery: false }
    const state = { ...running, settings: { ...defaultSettings, notify } }
    const items = labelled(submenuOf(bar(deps(), state), '&File'), 'Notifications')?.submenu
    const ticks = (items as MenuItemConstructorOptions[]).map(({ checked }) => checked)
    expect(ticks).toEqual([false, true, true])

    const item = { checked: true }
    const click = (items as MenuItemConstructorOptions[])[0]?.click as
      | ((it: object) => void)
      | undefined
    click?.(item)
    expect(item.checked).toBe(false)
  })

  test('reports why nothing happened', async () => {
    const given = deps()
    chooseFrom(bar(given), ['&Sandbox', 'Show Data Folder'])
    await vi.waitFor(() => expect(given.fail).toHaveBeenCalledWith('there is none'))
  })
})

describe('the tray', () => {
  const tray = (state: MenuState, given = deps()) => trayTemplate(given, state)

  test.each([
    ['My Sandbox', ['showOwn']],
    ['Copy URL', ['copyAddress']],
    ['Pause Deliveries', ['setPaused', true]],
    ['Quit', ['quit']],
  ])('%s requests %j', (label, asked) => {
    const given = deps()
    chooseFrom(tray(running, given), [label])
    expect(given.done).toEqual([asked])
  })

  test('starts with the state of the sandbox', () => {
    const [where, what] = tray(running)
    expect(where).toMatchObject({ label: 'Running at localhost:7420', enabled: false })
    expect(what).toMatchObject({ label: 'All clear', enabled: false })
    expect(tray(stopped)[0]).toMatchObject({ label: 'The sandbox is stopped' })
  })

  test('offers only to start a stopped sandbox', () => {
    const given = deps()
    chooseFrom(tray(stopped, given), ['Start Sandbox'])
    expect(given.done).toEqual([['startOwn']])
    for (const label of ['Copy Client Settings', 'Trigger Again', 'Pause Deliveries']) {
      expect(() => chooseFrom(tray(stopped), [label])).toThrow('switched off')
    }
  })

  test('leaves a sandbox of another process alone', () => {
    const elsewhere: MenuState = { ...running, sandbox: 'elsewhere' }
    expect(() => chooseFrom(tray(elsewhere), ['Stop Sandbox'])).toThrow('switched off')
    expect(describeWhere(elsewhere)).toBe('Running at localhost:7420, in another process')
  })

  test('names the trigger that it repeats, whatever its name', () => {
    const lastTrigger = { event: 'repo.content', repo: `acme/R&D-${'x'.repeat(90)}` }
    const state = { ...running, glance: { ...glance, lastTrigger } }
    const labels = tray(state).flatMap(({ label }) => label ?? [])
    const label = labels.find((text) => text.startsWith('Trigger')) ?? ''
    expect(label).toMatch(/^Trigger repo\.content in acme\/R&&D-x+…$/)
    expect(label.length).toBeLessThan(70)
    const given = deps()
    chooseFrom(tray(state, given), [label])
    expect(given.done).toEqual([['triggerAgain']])
  })

  test('releases paused deliveries', () => {
    const state = { ...running, glance: { ...glance, isPaused: true } }
    expect(labelled(tray(state), 'Pause Deliveries')?.checked).toBe(true)
    const given = deps()
    chooseFrom(tray(state, given), ['Pause Deliveries'])
    expect(given.done).toEqual([['setPaused', false]])
  })
})

describe('the state as text', () => {
  test('counts pending and failed items, and omits zeros', () => {
    expect(describeGlance({ ...glance, pendingDeliveries: 1, pendingDevices: 2 })).toBe(
      '1 pending delivery, 2 pending devices',
    )
    expect(describeGlance({ ...glance, failingWebhooks: 3, isPaused: true })).toBe(
      'deliveries paused, 3 failing webhooks',
    )
    const all = { failingDeliveries: 1, failedDeliveries: 2, suspendedWebhooks: 1 }
    expect(describeGlance({ ...glance, ...all })).toBe(
      '1 failing delivery, 2 failed deliveries, 1 suspended webhook',
    )
  })

  test('reports a sandbox that does not respond', () => {
    expect(describeWhere({ ...running, glance: undefined })).toBe(
      'The sandbox at localhost:7420 is not responding yet',
    )
  })

  test('names a trigger by its event, type, repo and number', () => {
    const request = { event: 'repo.content', kind: 'push', repo: 'a/b', repeat: { times: 5 } }
    expect(describeTrigger(request)).toBe('repo.content (push) in a/b × 5')
  })
})
