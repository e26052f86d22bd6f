import { join } from 'node:path'
import type { MenuItemConstructorOptions } from 'electron'
import type { ElectronApi } from './electron-api.ts'
import { clickOf, type MenuDeps, sandboxItems, separator, settingsItems } from './menu-items.ts'
import { describeGlance, describeWhere, type MenuState } from './menu-state.ts'
import { withMnemonics } from './mnemonics.ts'

export function trayTemplate(deps: MenuDeps, state: MenuState): MenuItemConstructorOptions[] {
  const click = clickOf(deps)
  return [
    ...stateLines(state).map((label) => ({ label, enabled: false })),
    separator,
    { label: 'My Sandbox', click: click((intents) => intents.showOwn()) },
    { label: 'Open in Browser', click: click((intents) => intents.openInBrowser()) },
    { label: 'Copy URL', click: click((intents) => intents.copyAddress()) },
    ...sandboxItems(state, click),
    separator,
    ...settingsItems(state, deps.platform, click),
    separator,
    { label: 'Quit', click: click((intents) => intents.quit()) },
  ]
}

/** Creates the tray icon. The returned function updates its state. */
export function setupTray(
  { app, Menu, nativeImage, Tray }: ElectronApi,
  deps: MenuDeps & { icons: string },
): (state: MenuState) => void {
  // macOS draws a template image in the colour of its menu bar.
  const file = deps.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'
  const tray = new Tray(nativeImage.createFromPath(join(deps.icons, file)))
  // On macOS a click opens the menu.
  if (deps.platform !== 'darwin')
    tray.on(
      'click',
      clickOf(deps)((intents) => intents.showOwn()),
    )
  // Keeps a reference until the app quits: otherwise the icon would be garbage-collected.
  app.once('will-quit', () => tray.destroy())
  return (state) => {
    if (tray.isDestroyed()) return
    tray.setToolTip(['hub-sandbox', ...stateLines(state)].join('\n'))
    tray.setContextMenu(Menu.buildFromTemplate(withMnemonics(trayTemplate(deps, state))))
  }
}

function stateLines(state: MenuState): string[] {
  return [
    describeWhere(state),
    ...(state.glance === undefined ? [] : [describeGlance(state.glance)]),
  ]
}
