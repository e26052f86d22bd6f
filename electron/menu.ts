import { join } from 'node:path'
import type { MenuItemConstructorOptions } from 'electron'
import { messageOf } from '../server/core/background.ts'
import type { ElectronApi } from './electron-api.ts'
import type { Intents } from './intents.ts'

export interface MenuDeps {
  intents: Intents
  platform: NodeJS.Platform
  /** Folder of the icons. */
  icons: string
  /** Tells the user why nothing happened. */
  fail: (message: string) => void
}

const separator: MenuItemConstructorOptions = { type: 'separator' }

/** The menu bar; on macOS the first menu is the app's own. */
export function menuTemplate({ intents, platform, fail }: MenuDeps): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin'
  const click = clickOf(intents, fail)
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: 'My Sandbox', accelerator: 'CmdOrCtrl+N', click: click('showOwn') },
        { label: 'Open Fixtures…', accelerator: 'CmdOrCtrl+O', click: click('openFixtures') },
        separator,
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    { role: 'viewMenu' },
    {
      label: '&Sandbox',
      submenu: [
        { label: 'Open in Browser', accelerator: 'CmdOrCtrl+B', click: click('openInBrowser') },
        { label: 'Copy Address', accelerator: 'CmdOrCtrl+Shift+C', click: click('copyAddress') },
        separator,
        { label: 'Show Data Folder', click: click('showDataFolder') },
      ],
    },
    { role: 'windowMenu' },
  ]
}

export function trayTemplate({ intents, fail }: MenuDeps): MenuItemConstructorOptions[] {
  const click = clickOf(intents, fail)
  return [
    { label: 'My Sandbox', click: click('showOwn') },
    { label: 'Open in Browser', click: click('openInBrowser') },
    { label: 'Copy Address', click: click('copyAddress') },
    separator,
    { label: 'Quit', click: click('quit') },
  ]
}

export function setupMenu({ Menu }: ElectronApi, deps: MenuDeps): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(deps)))
}

export function setupTray({ app, Menu, nativeImage, Tray }: ElectronApi, deps: MenuDeps): void {
  // macOS draws a template image in the colour of its menu bar.
  const file = deps.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'
  const tray = new Tray(nativeImage.createFromPath(join(deps.icons, file)))
  tray.setToolTip('hub-sandbox')
  tray.setContextMenu(Menu.buildFromTemplate(trayTemplate(deps)))
  // An icon that nothing holds goes away with the garbage; this holds it until the app quits.
  app.once('will-quit', () => tray.destroy())
}

function clickOf(intents: Intents, fail: MenuDeps['fail']) {
  return (name: keyof Intents) => () =>
    void intents[name]().catch((error: unknown) => fail(messageOf(error)))
}
