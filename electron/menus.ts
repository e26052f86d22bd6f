import type { ElectronApi } from './electron-api.ts'
import { setupMenu } from './menu.ts'
import type { MenuDeps } from './menu-items.ts'
import { readMenuState } from './menu-state.ts'
import type { OwnSandbox } from './own.ts'
import type { SettingsStore } from './settings.ts'
import { setupTray } from './tray.ts'
import type { Watch } from './watch.ts'

/** Keeps menu bar and tray in sync with the sandbox and the settings. */
export function followMenus(
  electron: ElectronApi,
  deps: MenuDeps & { icons: string },
  { own, watch, settings }: { own: OwnSandbox; watch: Watch; settings: SettingsStore },
): void {
  const menus = [setupMenu, setupTray].map((setup) => setup(electron, deps))
  const show = () => {
    const state = readMenuState(own, watch, settings.current)
    for (const menu of menus) menu(state)
  }
  for (const source of [own, watch, settings]) source.onChange(show)
  show()
}
