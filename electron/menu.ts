import { join } from 'node:path'
import type { MenuItemConstructorOptions } from 'electron'
import { type DashboardPage, dashboardPages } from '../server/contract/dashboard-pages.ts'
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
        {
          label: 'My Sandbox',
          accelerator: 'CmdOrCtrl+N',
          click: click((intents) => intents.showOwn()),
        },
        {
          label: 'Open Fixtures…',
          accelerator: 'CmdOrCtrl+O',
          click: click((intents) => intents.openFixtures()),
        },
        separator,
        { role: 'close' },
        ...(isMac ? [] : [{ role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    { role: 'viewMenu' },
    { label: '&Go', submenu: pageItems(({ path }) => click((intents) => intents.goTo(path))) },
    {
      label: '&Sandbox',
      submenu: [
        {
          label: 'Open in Browser',
          accelerator: 'CmdOrCtrl+B',
          click: click((intents) => intents.openInBrowser()),
        },
        {
          label: 'Copy Address',
          accelerator: 'CmdOrCtrl+Shift+C',
          click: click((intents) => intents.copyAddress()),
        },
        separator,
        { label: 'Show Data Folder', click: click((intents) => intents.showDataFolder()) },
      ],
    },
    { role: 'windowMenu' },
  ]
}

export function trayTemplate({ intents, fail }: MenuDeps): MenuItemConstructorOptions[] {
  const click = clickOf(intents, fail)
  return [
    { label: 'My Sandbox', click: click((intents) => intents.showOwn()) },
    { label: 'Open in Browser', click: click((intents) => intents.openInBrowser()) },
    { label: 'Copy Address', click: click((intents) => intents.copyAddress()) },
    separator,
    { label: 'Quit', click: click((intents) => intents.quit()) },
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
  return (ask: (intents: Intents) => Promise<void>) => () =>
    void ask(intents).catch((error: unknown) => fail(messageOf(error)))
}

/** Every page of the dashboard in its groups; the first nine have a digit. */
function pageItems(clickOn: (page: DashboardPage) => () => void): MenuItemConstructorOptions[] {
  let digit = 0
  return dashboardPages.flatMap(({ items }, index) => [
    ...(index === 0 ? [] : [separator]),
    ...items.map((page: DashboardPage): MenuItemConstructorOptions => {
      digit += 1
      return {
        // A single one would underline the letter after it.
        label: page.label.replaceAll('&', '&&'),
        click: clickOn(page),
        ...(digit > 9 ? {} : { accelerator: `CmdOrCtrl+${digit}` }),
      }
    }),
  ])
}
