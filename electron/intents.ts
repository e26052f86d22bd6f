import { fixturesExtension } from './arguments.ts'
import type { Desktop } from './desktop.ts'
import type { ElectronApi } from './electron-api.ts'

/** What the user may ask for, in a menu or on the page. */
export interface Intents {
  showOwn(): Promise<void>
  /** @param path of the dashboard, below `/_sandbox` */
  goTo(path: string): Promise<void>
  openFixtures(): Promise<void>
  openInBrowser(): Promise<void>
  copyAddress(): Promise<void>
  showDataFolder(): Promise<void>
  quit(): Promise<void>
}

/** @param dataFolder of the user's own sandbox; undefined when its state is in memory only */
export function createIntents(
  { app, clipboard, dialog, shell }: ElectronApi,
  desktop: Desktop,
  dataFolder: () => string | undefined,
): Intents {
  return {
    showOwn: () => desktop.showOwn(),
    goTo: (path) => desktop.goTo(path),
    async openFixtures() {
      const { filePaths } = await dialog.showOpenDialog({
        title: 'Open Fixtures',
        properties: ['openFile', 'multiSelections'],
        filters: [{ name: 'Sandbox fixtures', extensions: [fixturesExtension.slice(1)] }],
      })
      await Promise.all(filePaths.map((path) => desktop.openFile(path)))
    },
    async openInBrowser() {
      const sandbox = desktop.current()
      if (sandbox !== undefined) await shell.openExternal(sandbox.dashboardUrl)
    },
    async copyAddress() {
      const sandbox = desktop.current()
      if (sandbox !== undefined) await clipboard.writeText(sandbox.url)
    },
    async showDataFolder() {
      const folder = dataFolder()
      if (folder === undefined) throw new Error('the state is kept in memory only')
      const problem = await shell.openPath(folder)
      if (problem !== '') throw new Error(`cannot show ${folder}: ${problem}`)
    },
    async quit() {
      app.quit()
    },
  }
}
