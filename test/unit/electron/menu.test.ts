import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test, vi } from 'vitest'
import type { Intents } from '../../../electron/intents.ts'
import { menuTemplate, trayTemplate } from '../../../electron/menu.ts'
import { everyDashboardPage } from '../../../server/contract/dashboard-pages.ts'

function deps(platform: NodeJS.Platform = 'linux') {
  const done: string[] = []
  const intent = (name: string) => async () => void done.push(name)
  const intents: Intents = {
    showOwn: intent('showOwn'),
    goTo: async (path) => void done.push(path),
    openFixtures: intent('openFixtures'),
    openInBrowser: intent('openInBrowser'),
    copyAddress: intent('copyAddress'),
    showDataFolder: () => Promise.reject(new Error('there is none')),
    quit: intent('quit'),
  }
  return { done, intents, platform, icons: '', fail: vi.fn<(message: string) => void>() }
}

const itemsOf = (template: MenuItemConstructorOptions[]) =>
  template.flatMap(({ submenu }) => (submenu as MenuItemConstructorOptions[] | undefined) ?? [])
const submenuOf = (template: MenuItemConstructorOptions[], label: string) =>
  (template.find((entry) => entry.label === label)?.submenu ?? []) as MenuItemConstructorOptions[]
const rolesOf = (items: MenuItemConstructorOptions[]) => items.flatMap(({ role }) => role ?? [])

/** Clicks as Electron does, which looks at no result. */
function click(items: MenuItemConstructorOptions[], label: string) {
  const handler = items.find((item) => item.label === label)?.click as (() => void) | undefined
  if (handler === undefined) throw new Error(`there is no ${label}`)
  handler()
}

describe('the menu bar', () => {
  test('has an app menu on macOS only, and elsewhere quits from File', () => {
    expect(rolesOf(menuTemplate(deps('darwin')))).toContain('appMenu')
    expect(rolesOf(itemsOf(menuTemplate(deps('darwin'))))).not.toContain('quit')
    expect(rolesOf(menuTemplate(deps('win32')))).not.toContain('appMenu')
    expect(rolesOf(itemsOf(menuTemplate(deps('win32'))))).toContain('quit')
  })

  test('gives every shortcut once', () => {
    const keys = itemsOf(menuTemplate(deps())).flatMap(({ accelerator }) => accelerator ?? [])
    expect(keys.length).toBeGreaterThan(0)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('goes to every page of the dashboard', () => {
    const given = deps()
    for (const item of submenuOf(menuTemplate(given), '&Go'))
      (item.click as (() => void) | undefined)?.()
    const paths = everyDashboardPage.map(({ path }) => path)
    expect(given.done).toEqual(paths)
  })

  test('shows the ampersand of a name instead of taking it for an underline', () => {
    const labels = submenuOf(menuTemplate(deps()), '&Go').flatMap(({ label }) => label ?? [])
    expect(labels).toContain('Users && organizations')
  })

  test.each([
    ['My Sandbox', 'showOwn'],
    ['Open Fixtures…', 'openFixtures'],
    ['Open in Browser', 'openInBrowser'],
    ['Copy Address', 'copyAddress'],
  ])('%s asks for %s', (label, intent) => {
    const given = deps()
    click(itemsOf(menuTemplate(given)), label)
    expect(given.done).toEqual([intent])
  })

  test('says why nothing happened', async () => {
    const given = deps()
    click(itemsOf(menuTemplate(given)), 'Show Data Folder')
    await vi.waitFor(() => expect(given.fail).toHaveBeenCalledWith('there is none'))
  })
})

describe('the tray', () => {
  test.each([
    ['My Sandbox', 'showOwn'],
    ['Copy Address', 'copyAddress'],
    ['Quit', 'quit'],
  ])('%s asks for %s', (label, intent) => {
    const given = deps()
    click(trayTemplate(given), label)
    expect(given.done).toEqual([intent])
  })
})
