import { packageVersion } from '../server/core/package-root.ts'
import { fixturesExtension } from './arguments.ts'
import { clientSettingsText, type SettingsForm } from './client-settings.ts'
import { connectControl } from './control.ts'
import type { Desktop } from './desktop.ts'
import type { ElectronApi } from './electron-api.ts'
import { createPausing } from './pausing.ts'
import type { Notice, SettingsStore } from './settings.ts'

/** Actions of menus and pages. */
export interface Intents {
  showOwn(): Promise<void>
  /** @param path of the dashboard, below `/_sandbox` */
  goTo(path: string): Promise<void>
  openFixtures(): Promise<void>
  openInBrowser(): Promise<void>
  copyAddress(): Promise<void>
  copyClientSettings(form: SettingsForm): Promise<void>
  showDataFolder(): Promise<void>
  /** Starts the user's own sandbox, without a window. */
  startOwn(): Promise<void>
  stopOwn(): Promise<void>
  triggerAgain(): Promise<void>
  setPaused(isPaused: boolean): Promise<void>
  setKeepRunning(keepRunning: boolean): Promise<void>
  setNotice(notice: Notice, isWanted: boolean): Promise<void>
  showUpdates(): Promise<void>
  quit(): Promise<void>
}

export interface IntentDeps {
  platform: NodeJS.Platform
  settings: Pick<SettingsStore, 'current' | 'change'>
  /** Data folder of the user's own sandbox; undefined if the state is in memory only. */
  dataFolder: () => string | undefined
}

const releases = 'https://github.com/hub-sandbox/hub-sandbox/releases'

export function createIntents(
  { app, clipboard, dialog, shell }: ElectronApi,
  desktop: Desktop,
  { platform, settings, dataFolder }: IntentDeps,
): Intents {
  const connect = () => {
    const sandbox = desktop.own.known
    if (sandbox === undefined) throw new Error('The sandbox is stopped.')
    return connectControl(sandbox)
  }
  const pausing = createPausing(connect)
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
    async copyClientSettings(form) {
      const { environment } = await connect()('GET overview')
      await clipboard.writeText(clientSettingsText(environment, form, platform))
    },
    async showDataFolder() {
      const folder = dataFolder()
      if (folder === undefined) throw new Error('The state is in memory only.')
      const problem = await shell.openPath(folder)
      if (problem !== '') throw new Error(`Cannot open ${folder}: ${problem}`)
    },
    async startOwn() {
      await desktop.own.start()
    },
    stopOwn: () => desktop.own.stop(),
    async triggerAgain() {
      const call = connect()
      const { request } = await call('GET events/last')
      if (request === undefined)
        throw new Error('No event was triggered since the sandbox started.')
      await call('POST events', { body: request })
    },
    setPaused: (isPaused) => (isPaused ? pausing.pause() : pausing.resume()),
    async setKeepRunning(keepRunning) {
      settings.change({ keepRunning })
    },
    async setNotice(notice, isWanted) {
      settings.change({ notify: { ...settings.current.notify, [notice]: isWanted } })
    },
    async showUpdates() {
      const { response } = await dialog.showMessageBox({
        type: 'info',
        title: 'hub-sandbox',
        message: `This is hub-sandbox ${packageVersion}`,
        detail: `Automatic updates are off. New versions are at ${releases}.`,
        buttons: ['Open in Browser', 'Close'],
        defaultId: 1,
        cancelId: 1,
        noLink: true,
      })
      if (response === 0) await shell.openExternal(releases)
    },
    async quit() {
      app.quit()
    },
  }
}
