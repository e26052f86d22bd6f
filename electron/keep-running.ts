import type { ElectronApi } from './electron-api.ts'
import type { OwnSandbox } from './own.ts'
import type { SettingsStore } from './settings.ts'

/**
 * Handles the app without a window: it quits, or its sandbox keeps running. The first time, a dialog informs the user
 * and offers to quit instead.
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
    message: 'The sandbox is still running',
    detail: `It still responds at ${own.running.url} and delivers webhooks. Use the tray icon to reopen the window, stop the sandbox or quit. Without a tray, start hub-sandbox again to reopen the window.`,
    buttons: ['Keep Running', 'Always Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  if (response === 0) return
  settings.change({ keepRunning: false })
  app.quit()
}
