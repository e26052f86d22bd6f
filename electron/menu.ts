import type { MenuItemConstructorOptions } from 'electron'
import { dashboardPlaces, settingsPage } from '../server/contract/dashboard-pages.ts'
import type { ElectronApi } from './electron-api.ts'
import {
  clickOf,
  type MenuDeps,
  menuText,
  sandboxItems,
  separator,
  settingsItems,
} from './menu-items.ts'
import type { MenuState } from './menu-state.ts'
import { withMnemonics } from './mnemonics.ts'

// Menus of Electron's roles have no mnemonics.

const editMenu: MenuItemConstructorOptions = {
  label: '&Edit',
  submenu: [
    { role: 'undo', label: 'Undo' },
    { role: 'redo', label: 'Redo' },
    separator,
    { role: 'cut', label: 'Cut' },
    { role: 'copy', label: 'Copy' },
    { role: 'paste', label: 'Paste' },
    { role: 'delete', label: 'Delete' },
    separator,
    { role: 'selectAll', label: 'Select All' },
  ],
}

const viewMenu: MenuItemConstructorOptions = {
  label: '&View',
  submenu: [
    { role: 'reload', label: 'Reload' },
    { role: 'forceReload', label: 'Force Reload' },
    { role: 'toggleDevTools', label: 'Toggle Developer Tools' },
    separator,
    { role: 'resetZoom', label: 'Actual Size' },
    { role: 'zoomIn', label: 'Zoom In' },
    { role: 'zoomOut', label: 'Zoom Out' },
    separator,
    { role: 'togglefullscreen', label: 'Toggle Full Screen' },
  ],
}

const windowMenu: MenuItemConstructorOptions = {
  label: '&Window',
  submenu: [
    { role: 'minimize', label: 'Minimize' },
    { role: 'zoom', label: 'Zoom' },
    { role: 'close', label: 'Close' },
  ],
}

/** Builds the menu bar; on macOS the first menu is that of the app. */
export function menuTemplate(deps: MenuDeps, state: MenuState): MenuItemConstructorOptions[] {
  const { platform } = deps
  const isMac = platform === 'darwin'
  const click = clickOf(deps)
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
        ...settingsItems(state, platform, click),
        separator,
        { role: 'close', label: isMac ? 'Close Window' : 'Close' },
        ...(isMac ? [] : [{ role: 'quit', label: 'Quit' } as const]),
      ],
    },
    ...(isMac ? ([{ role: 'editMenu' }, { role: 'viewMenu' }] as const) : [editMenu, viewMenu]),
    { label: '&Go', submenu: placeItems(({ path }) => click((intents) => intents.goTo(path))) },
    {
      label: '&Sandbox',
      submenu: [
        {
          label: 'Open in Browser',
          accelerator: 'CmdOrCtrl+B',
          click: click((intents) => intents.openInBrowser()),
        },
        {
          label: 'Copy URL',
          // Ctrl+Shift+C selects an element in the developer tools.
          accelerator: 'CmdOrCtrl+Shift+L',
          click: click((intents) => intents.copyAddress()),
        },
        ...sandboxItems(state, click),
        separator,
        { label: 'Show Data Folder', click: click((intents) => intents.showDataFolder()) },
      ],
    },
    isMac ? { role: 'windowMenu' } : windowMenu,
    {
      role: 'help',
      label: '&Help',
      submenu: [{ label: 'Updates…', click: click((intents) => intents.showUpdates()) }],
    },
  ]
}

/** Creates the menu bar. The returned function updates its state. */
export function setupMenu({ Menu }: ElectronApi, deps: MenuDeps): (state: MenuState) => void {
  let shown = ''
  return (state) => {
    const template = withMnemonics(menuTemplate(deps, state))
    // A menu that is open closes when the bar is changed.
    const looks = JSON.stringify(template)
    if (looks === shown) return
    shown = looks
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }
}

/** The places of the dashboard, each with its digit, and its settings. */
function placeItems(clickOn: (page: { path: string }) => () => void): MenuItemConstructorOptions[] {
  return [
    ...dashboardPlaces.map(({ label, pages: [first] }, index): MenuItemConstructorOptions => ({
      label: menuText(label),
      click: clickOn(first),
      accelerator: `CmdOrCtrl+${index + 1}`,
    })),
    separator,
    { label: menuText(settingsPage.label), click: clickOn(settingsPage) },
  ]
}
