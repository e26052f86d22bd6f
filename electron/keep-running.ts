import type { ElectronApi } from './electron-api.ts'
import type { OwnSandbox } from './own.ts'
import type { SettingsStore } from './settings.ts'

/**
 * The app without a window: it quits, or its sandbox runs on. That it does is said the first time, when its user may not
 * know of it, and can be had otherwise there and then.
 */
export async function outliveWindows(
  { app, dialog }: Pick<ElectronApi, 'app' | 'dialog'>,
  own: Pick<OwnSandbox, 'running'>,
  settings: Pick<SettingsStore, 'current' | 'change'>,
): Promise<void> {
  const { keepRunning, saidKeepsRunning } = settings.current
  if (!keepRunning || own.running === undefined) return app.quit()
  if (saidKeepsRunning) return
  settings.change({ saidKeepsRunning: true })
  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: 'hub-sandbox',
    message: 'The sandbox keeps running',
    detail: `It goes on answering at ${own.running.url} and delivering webhooks. Its icon in the tray brings the window back, stops it and quits; where there is no tray, starting hub-sandbox again brings the window back.`,
    buttons: ['Keep Running', 'Quit Instead, Always'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  if (response === 0) return
  settings.change({ keepRunning: false })
  app.quit()
}
